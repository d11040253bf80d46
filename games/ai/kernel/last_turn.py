"""The last turn under parity: after the side that began bears off, the other plays once more.

A draw counts as half a win and half a loss.
"""

import numpy as np

from games.ai.kernel import game, net
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.jit import njit

# Bit of `flags`: the searching side moved first in the game. The next higher bit: the other did.
BEGAN = 16


@njit
def is_last(variant: int, board: IntArray, kinds: int) -> bool:
    """Return whether this turn is the last one: the other side has borne off."""
    other = np.empty(26, np.int8)
    game.flip(variant, board, other)
    return game.finished(variant, other, kinds) > 0


@njit
def write_chances_before(
    variant: int, after: IntArray, flags: int, kinds: int, chances: FloatArray
) -> None:
    """Write the chances of a side that has borne off, while the other still has its last turn."""
    board, answers = np.empty(26, np.int8), np.empty((game.MAX_AFTERSTATES, 26), np.int8)
    draw = mars = koks = 0.0
    game.flip(variant, after, board)
    for d1 in range(1, 7):
        for d2 in range(1, d1 + 1):
            found = game.afterstates(variant, board, d1, d2, flags & ~game.FIRST_TURN, answers)
            least = 3
            for row in range(found):
                least = min(least, _points_of_first(variant, answers[row], kinds))
            share = (1.0 if d1 == d2 else 2.0) / 36.0
            draw += share * (least == 0)
            mars += share * (least > 1)
            koks += share * (least > 2)
    chances[:] = 0.0
    chances[net.WIN] = 1.0 - draw / 2.0
    chances[net.WIN_MARS], chances[net.WIN_KOKS] = mars, koks


@njit
def write_chances_after(variant: int, after: IntArray, kinds: int, chances: FloatArray) -> None:
    """Write the chances of the side that has just played the last turn."""
    points = _points_of_first(variant, after, kinds)
    chances[:] = 0.0
    chances[net.WIN] = 0.0 if points else 0.5
    chances[net.LOSE_MARS], chances[net.LOSE_KOKS] = points > 1, points > 2


@njit
def _points_of_first(variant: int, after: IntArray, kinds: int) -> int:
    """Return the points of the side that bore off first, after the last turn; 0 = a draw."""
    if game.finished(variant, after, kinds):
        return 0
    won = np.empty(26, np.int8)
    game.flip(variant, after, won)
    return game.finished(variant, won, kinds)
