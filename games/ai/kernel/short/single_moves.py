"""Single moves of short backgammon on the compiled board; sets of places are bits of an integer."""

from games.ai.kernel.arrays import wide
from games.ai.kernel.bits import OUTSIDE_HOME, IntArray, trailing_zeros
from games.ai.kernel.jit import njit

BAR_BIT = 1 << 25
_BEYOND_HOME = OUTSIDE_HOME | BAR_BIT


@njit
def masks_of(board: IntArray) -> tuple[int, int, int]:
    """Return (places with own checkers, points open to them, points with an enemy blot)."""
    own = free = blots = 0
    for point in range(1, 25):
        count = board[point]
        own |= wide(count > 0) << point
        free |= wide(count > -2) << point
        blots |= wide(count == -1) << point
    return own | wide(board[25] > 0) << 25, free, blots


@njit
def movable(own: int, free: int, die: int) -> int:
    """Return the places from which a checker may play the die, bearing off included."""
    if own & BAR_BIT:
        return BAR_BIT & (free << die)
    sources = own & (free << die)
    if not own & _BEYOND_HOME:
        if own >> die & 1:
            return sources | 1 << die
        if own >> die == 0 and own:
            return sources | 1 << _highest(own)
    return sources


@njit
def _highest(own: int) -> int:
    while own & (own - 1):
        own &= own - 1
    return trailing_zeros(own)


@njit
def is_blot(blots: int, target: int) -> bool:
    return blots >> target & 1 != 0


@njit
def put(board: IntArray, source: int, target: int) -> None:
    """Move one checker and hit a blot on the target.

    Target 0 bears the checker off; checkers off are not stored.
    """
    board[source] -= 1
    if target:
        if board[target] == -1:
            board[target] = 1
            board[0] += 1
        else:
            board[target] += 1
