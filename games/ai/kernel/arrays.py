"""Small helpers of compiled code.

Copies are plain loops: they compile much faster than slices and run as fast.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from games.ai.kernel.jit import njit

AnyArray = NDArray[Any]


@njit
def copy(source: AnyArray, target: AnyArray, count: int) -> None:
    """Copy the first `count` numbers."""
    for at in range(count):
        target[at] = source[at]


@njit
def copy_board(source: AnyArray, target: AnyArray) -> None:
    for place in range(26):
        target[place] = source[place]


@njit
def wide(number: int) -> int:
    """Widen a checker count or a boolean, so that sums cannot overflow."""
    return np.int64(number)  # type: ignore[return-value]
