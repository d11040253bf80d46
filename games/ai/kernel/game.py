"""Both variants behind one set of compiled functions; `variant` is SHORT or LONG.

The variant is dispatched at run time, since numba caches no compiled function that takes other
functions as arguments.
"""

from games.ai.kernel import bearoff
from games.ai.kernel.arrays import wide
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.jit import njit, thin
from games.ai.kernel.long import turns as long
from games.ai.kernel.short import turns as short

SHORT, LONG = 0, 1
MODULES = (short, long)

RACE = short.RACE  # `phase` of both variants once the sides have passed each other
FIRST_TURN = long.FIRST_TURN  # short ignores it
MAX_AFTERSTATES = max(short.MAX_AFTERSTATES, long.MAX_AFTERSTATES)
MAX_ACTIVE = max(short.MAX_ACTIVE, long.MAX_ACTIVE)


@thin
def start(variant: int, board: IntArray) -> None:
    if variant == SHORT:
        short.start(board)
    else:
        long.start(board)


@thin
def afterstates(variant: int, board: IntArray, d1: int, d2: int, flags: int, out: IntArray) -> int:
    if variant == SHORT:
        return short.afterstates(board, d1, d2, flags, out)
    return long.afterstates(board, d1, d2, flags, out)


@thin
def flip(variant: int, board: IntArray, out: IntArray) -> None:
    if variant == SHORT:
        short.flip(board, out)
    else:
        long.flip(board, out)


@thin
def finished(variant: int, board: IntArray, kinds: int) -> int:
    if variant == SHORT:
        return short.finished(board, kinds)
    return long.finished(board, kinds)


@thin
def phase(variant: int, board: IntArray) -> int:
    if variant == SHORT:
        return short.phase(board)
    return long.phase(board)


@njit
def home_indexes(variant: int, board: IntArray) -> tuple[int, int]:
    """Return the `bearoff.table` rows of mover and enemy; -1 unless both sides are home."""
    # The enemy's point 1 in the mover's numbering, and the step to the enemy's next point.
    first, step = (24, -1) if variant == SHORT else (13, 1)
    mine = theirs = before_mine = before_theirs = 0
    for point in range(6):
        before_mine += max(wide(board[point + 1]), 0)
        before_theirs += max(-wide(board[first + step * point]), 0)
        mine += bearoff.CHOOSE[before_mine + point, point + 1]
        theirs += bearoff.CHOOSE[before_theirs + point, point + 1]
    if variant == SHORT and (board[0] or board[25]):
        return -1, -1
    for point in range(1, 25):
        before_mine -= max(wide(board[point]), 0)
        before_theirs -= max(-wide(board[point]), 0)
    return (mine, theirs) if before_mine == 0 and before_theirs == 0 else (-1, -1)


@njit
def has_borne_off(variant: int, board: IntArray, side: int) -> bool:
    """Return whether, in a race, the mover (side 1) or the enemy (-1) has a checker off."""
    if variant == LONG:
        return wide(board[0 if side > 0 else 25]) > 0
    left = 0
    for point in range(1, 25):
        left += max(side * wide(board[point]), 0)
    return left < 15


@thin
def encode(variant: int, board: IntArray, idx: IntArray, val: FloatArray) -> int:
    if variant == SHORT:
        return short.encode(board, idx, val)
    return long.encode(board, idx, val)
