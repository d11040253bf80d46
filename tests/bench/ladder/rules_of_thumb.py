"""The player `plain` of long nardy: five rules of thumb with weights set by hand, nothing fitted.

The rules are: bear off, advance, leave the head, hold many points, preferably in a row, and do not
stack. The weights are never changed, since the player is a fixed rung of the ladder.
"""

import numpy as np

from games.ai.kernel.bits import IntArray
from games.ai.kernel.long.turns import HEAD

_BORNE_OFF = 3.0
_PIP = -0.05
_ON_HEAD = -0.6
_POINT_HELD = 1.0
_IN_A_ROW = 0.8
_PILED = -0.4  # each checker above the third
_POINTS = np.arange(1, 25)


def best_of(boards: IntArray, count: int) -> int:
    """Return the row of the afterstate to play; the boards are from the mover's view."""
    mine = np.maximum(boards[:count, 1:25], 0)
    held = (mine > 0) & (_POINTS != HEAD)
    worth = _BORNE_OFF * boards[:count, 0] + _PIP * (mine @ _POINTS)
    worth += _ON_HEAD * mine[:, HEAD - 1] + _POINT_HELD * held.sum(1)
    worth += _PILED * (np.maximum(mine - 3, 0) * held).sum(1)
    # Only points outside the mover's home count for a row.
    worth += _IN_A_ROW * _longest_row(held[:, 6:])
    return int(np.argmax(worth))


def _longest_row(held: IntArray) -> IntArray:
    longest = row = np.zeros(len(held), np.int64)
    for point in range(held.shape[1]):
        row = (row + 1) * held[:, point]
        longest = np.maximum(longest, row)
    return longest
