"""Parity in long nardy: when the side that began has borne off, the other has one turn more.

A draw counts as half a win and half a loss.
"""

import numpy as np

from games.ai.kernel import long, net
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.jit import njit

# Bits of `flags`, besides those of a turn: the side who asks began, shifted by one the other one.
BEGAN = 16

_CHECKERS = 15


@njit
def is_last(board: IntArray) -> bool:
    """Whether the turn on this board is the one turn more."""
    return board[25] == _CHECKERS


@njit
def await_it(after: IntArray, flags: int, kinds: int, chances: FloatArray) -> None:
    """The chances of a side that has borne off before the other's last turn."""
    board, answers = np.empty(26, np.int8), np.empty((long.MAX_AFTERSTATES, 26), np.int8)
    draw = mars = koks = 0.0
    long.flip(after, board)
    for d1 in range(1, 7):
        for d2 in range(1, d1 + 1):
            found = long.afterstates(board, d1, d2, flags & ~long.FIRST_TURN, answers)
            least = 3
            for row in range(found):
                least = min(least, _left_to_win(answers[row], kinds))
            share = (1.0 if d1 == d2 else 2.0) / 36.0
            draw += share * (least == 0)
            mars += share * (least > 1)
            koks += share * (least > 2)
    chances[:] = 0.0
    chances[net.WIN] = 1.0 - draw / 2.0
    chances[net.WIN_MARS], chances[net.WIN_KOKS] = mars, koks


@njit
def end(after: IntArray, kinds: int, chances: FloatArray) -> None:
    """The chances of the side that has just played the last turn."""
    points = _left_to_win(after, kinds)
    chances[:] = 0.0
    chances[net.WIN] = 0.0 if points else 0.5
    chances[net.LOSE_MARS], chances[net.LOSE_KOKS] = points > 1, points > 2


@njit
def _left_to_win(after: IntArray, kinds: int) -> int:
    """What the side that bore off first wins after the last turn; 0 = a draw."""
    if after[0] == _CHECKERS:
        return 0
    won = np.empty(26, np.int8)
    long.flip(after, won)
    return long.finished(won, kinds)
