"""Features of a long nardy position: walls, mobility, the race.

Every board is in the view of the side whose features are computed; `flip` gives the other view.
"""

from games.ai.kernel.bits import IntArray, count_bits
from games.ai.kernel.jit import njit

_NEXT_SIX = 63


@njit
def flip(board: IntArray, out: IntArray) -> None:
    """Write the board as the other side sees it."""
    for point in range(1, 13):
        low, high = board[point], board[point + 12]
        out[point + 12] = -low
        out[point] = -high
    mine, theirs = board[0], board[25]
    out[0], out[25] = theirs, mine


@njit
def points_held(board: IntArray) -> tuple[int, int]:
    """Return the points held by the side and those held by the enemy, as sets of bits."""
    mine = theirs = 0
    for point in range(1, 25):
        if board[point] > 0:
            mine |= 1 << point
        elif board[point] < 0:
            theirs |= 1 << point
    return mine, theirs


@njit
def closed_ahead(theirs: int, point: int) -> int:
    """Count the points held by the enemy among the six ahead of `point`."""
    return count_bits((theirs << 6) >> point & _NEXT_SIX)


@njit
def movable(mine: int, theirs: int, rear: int, die: int) -> int:
    """Count the points from which the die can be played; `rear` is the highest point held."""
    count = count_bits(mine & ~theirs << die & ~((2 << die) - 1))
    if rear <= 6:
        count += mine >> die & 1
        count += rear < die
    return count


@njit
def is_race(board: IntArray) -> bool:
    """Return whether neither side can block the other any more."""
    met = 0
    for point in range(13, 25):
        met += board[point] > 0
        met += board[point - 12] < 0
    return met == 0


@njit
def walls(board: IntArray, behind_of: IntArray) -> None:
    """Write the number of enemy checkers that still have to pass a wall of 3, 4, 5 and 6 points.

    A longer wall counts as the shorter ones too.
    """
    behind_of[:] = 0
    behind = length = 0
    # Follow the enemy's path from its head: its points 24..13 are own 12..1, its 12..1 own 24..13.
    for step in range(24):
        point = 12 - step if step < 12 else 36 - step
        if board[point] > 0:
            length += 1
            if length >= 3:
                wall = min(length, 6) - 3
                behind_of[wall] = max(behind_of[wall], behind)
        else:
            behind -= board[point]
            length = 0
