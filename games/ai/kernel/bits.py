"""Sets of points as the bits of an integer, for compiled code only."""

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import numpy as np
from numba.cpython.unsafe import numbers
from numpy.typing import NDArray

from games.ai.kernel.jit import njit

__all__ = ["OUTSIDE_HOME", "POINTS", "FloatArray", "IntArray", "count_bits", "trailing_zeros"]

IntArray: TypeAlias = NDArray[Any]
FloatArray: TypeAlias = NDArray[np.floating[Any]]

# Index of the lowest set bit; one instruction.
trailing_zeros = cast(Callable[[int], int], numbers.trailing_zeros)

# Bits 1 to 24, and those of points 7 to 24.
POINTS = (1 << 25) - 2
OUTSIDE_HOME = POINTS - 126


@njit
def count_bits(points: int) -> int:
    """Count the bits set among the low 32."""
    points -= points >> 1 & 0x55555555
    points = (points & 0x33333333) + (points >> 2 & 0x33333333)
    return ((points + (points >> 4) & 0x0F0F0F0F) * 0x01010101 & 0xFFFFFFFF) >> 24
