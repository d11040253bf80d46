"""Small helpers of compiled code.

Copying: a plain loop compiles much faster than a slice and runs as fast.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.ai.kernel.jit import njit

AnyArray = NDArray[Any]


@njit
def copy(source: AnyArray, target: AnyArray, count: int) -> None:
    """The first `count` numbers."""
    for at in range(count):
        target[at] = source[at]


@njit
def copy_board(source: AnyArray, target: AnyArray) -> None:
    for place in range(26):
        target[place] = source[place]


@njit
def wide(number: int) -> int:
    """A count of a board, or a truth, as a number that no sum of it can overflow."""
    return np.int64(number)  # type: ignore[return-value]
