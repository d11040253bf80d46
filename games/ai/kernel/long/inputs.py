"""Inputs of the nets of long nardy: a sparse vector, seen by the player on roll.

For each side, in its own direction: four units for each point (held, two or more, three or more,
a quarter of the checkers above three), then the numbers listed in `_SHAPE`; at the end the lead in
pips and whether contact is over. Any change needs a new `INPUTS_VERSION`: nets trained on the old
one are refused.
"""

import numpy as np

from games.ai.kernel.bits import FloatArray, IntArray, trailing_zeros
from games.ai.kernel.jit import njit
from games.ai.kernel.long.blocks import to_enemy_way
from games.ai.kernel.long.shape import closed_ahead, flip, is_race, movable, points_held, walls

INPUTS_VERSION = 1

_UNITS = 4 * 24
# "wall_N" counts enemy checkers that still have to pass a wall of N points; "rear" is the highest
# point held, and "rear_closed" counts the enemy points among the six ahead of it. "hemmed" sums the
# enemy points among the six ahead of each checker, "stuck" counts checkers outside the home with
# five or six such points ahead, and "by_N" counts the points, three at most, from which a checker
# can move by N.
_SHAPE = (
    "off", "none_off", "pips", "head", "wall_3", "wall_4", "wall_5", "wall_6", "rear",
    "rear_closed", "hemmed", "stuck", "by_1", "by_2", "by_3", "by_4", "by_5", "by_6",
)  # fmt: skip
_SIDE_SHAPE = len(_SHAPE)
_LEAD = 2 * (_UNITS + _SIDE_SHAPE)
_RACE = _LEAD + 1
INPUTS = _RACE + 1

# Each checker activates at most one unit, so a side has at most fifteen.
MAX_ACTIVE = 2 * (15 + _SIDE_SHAPE) + 2


@njit
def encode(board: IntArray, idx: IntArray, val: FloatArray) -> int:
    """Write the nonzero inputs to `idx` and `val` (`MAX_ACTIVE` long); return their count."""
    other = np.empty(26, np.int8)
    flip(board, other)
    mine, theirs = points_held(board)
    count, my_pips = _encode_side(board, mine, theirs, 0, idx, val, 0)
    mine, theirs = to_enemy_way(mine) << 1, to_enemy_way(theirs) << 1
    count, their_pips = _encode_side(other, theirs, mine, 1, idx, val, count)
    count = _add(_LEAD, (their_pips - my_pips) / 60, idx, val, count)
    return _add(_RACE, 1.0 if is_race(board) else 0.0, idx, val, count)


@njit
def _add(at: int, value: float, idx: IntArray, val: FloatArray, count: int) -> int:
    # Write always, but count only if not zero: a mispredicted branch would cost more.
    idx[count], val[count] = at, value
    return count + (value != 0.0)


@njit
def _encode_side(
    board: IntArray,
    mine: int,
    theirs: int,
    side: int,
    idx: IntArray,
    val: FloatArray,
    count: int,
) -> tuple[int, int]:
    """Write the inputs of the side that sees the board; return (inputs so far, the side's pips)."""
    pips = rear = hemmed = stuck = 0
    left = mine
    while left:
        point = trailing_zeros(left)
        left &= left - 1
        checkers = board[point]
        pips += checkers * point
        rear = point
        closed = closed_ahead(theirs, point)
        hemmed += checkers * closed
        if closed >= 5 and point > 6:
            stuck += checkers
        at = side * _UNITS + 4 * (point - 1)
        for unit in range(4):
            idx[count + unit], val[count + unit] = at + unit, 1.0
        val[count + 3] = (checkers - 3) / 4
        count += min(checkers, 4)
    at = 2 * _UNITS + side * _SIDE_SHAPE  # then in the order of `_SHAPE`
    count = _add(at, board[0] / 15, idx, val, count)
    count = _add(at + 1, 0.0 if board[0] else 1.0, idx, val, count)
    count = _add(at + 2, pips / 180, idx, val, count)
    count = _add(at + 3, max(board[24], 0) / 15, idx, val, count)
    way = to_enemy_way(mine)
    if way & way >> 1 & way >> 2:
        behind_of = np.empty(4, np.int64)
        walls(board, behind_of)
        for wall in range(4):
            count = _add(at + 4 + wall, behind_of[wall] / 15, idx, val, count)
    count = _add(at + 8, rear / 24, idx, val, count)
    count = _add(at + 9, closed_ahead(theirs, rear) / 6, idx, val, count)
    count = _add(at + 10, hemmed / 45, idx, val, count)
    count = _add(at + 11, stuck / 15, idx, val, count)
    for die in range(1, 7):
        ways = min(movable(mine, theirs, rear, die), 3)
        count = _add(at + 11 + die, ways / 3, idx, val, count)
    return count, pips
