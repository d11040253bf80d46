"""The plain player of long nardy: five rules of thumb with weights set by hand, nothing fitted.

Bear off, bring the checkers on, take them off the head, hold many points, best in a row, and do
not pile up. Frozen: it is a rung of the ladder.
"""

import numpy as np

from games.ai.kernel.bits import IntArray
from games.ai.kernel.long import HEAD

_BORNE_OFF = 3.0
_PIP = -0.05
_ON_HEAD = -0.6
_POINT_HELD = 1.0
_IN_A_ROW = 0.8
_PILED = -0.4  # each checker above the third
_PLACES = np.arange(1, 25)


def best_of(boards: IntArray, count: int) -> int:
    """Which of the afterstates, seen by the mover, it plays."""
    mine = np.maximum(boards[:count, 1:25], 0)
    held = (mine > 0) & (_PLACES != HEAD)
    worth = _BORNE_OFF * boards[:count, 0] + _PIP * (mine @ _PLACES)
    worth += _ON_HEAD * mine[:, HEAD - 1] + _POINT_HELD * held.sum(1)
    worth += _PILED * (np.maximum(mine - 3, 0) * held).sum(1)
    # Only what still stands in the enemy's way is worth a row: not the own home.
    worth += _IN_A_ROW * _longest_row(held[:, 6:])
    return int(np.argmax(worth))


def _longest_row(held: IntArray) -> IntArray:
    longest = row = np.zeros(len(held), np.int64)
    for place in range(held.shape[1]):
        row = (row + 1) * held[:, place]
        longest = np.maximum(longest, row)
    return longest
