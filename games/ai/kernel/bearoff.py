"""Exact bearing off: for every way in which up to fifteen checkers stand at home, how likely that
side is through in exactly n rolls. The same for both games, since nothing is in the way any more.

A roll is played so that the mean number of rolls left is smallest, which is within a hair of the
best. The table is worked out in a second or two and kept beside the compiled code.
"""

from pathlib import Path

import numpy as np
from numba.core import config

from games.ai.kernel.arrays import wide
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.jit import njit

CHECKERS = 15
HOME = 6
HOMES = 54264  # ways to put up to fifteen checkers on six points
MOST_ROLLS = 20  # fifteen checkers on the six point need more once in a million

_VERSION = 1


def _binomials() -> IntArray:
    table = np.zeros((CHECKERS + HOME + 1, HOME + 1), np.int64)
    table[:, 0] = 1
    for n in range(1, len(table)):
        for k in range(1, HOME + 1):
            table[n, k] = table[n - 1, k - 1] + table[n - 1, k]
    return table


CHOOSE = _binomials()


def table() -> FloatArray:
    """`table()[home_index(home), n]` = the chance of exactly n rolls; from the disk if there."""
    path = Path(str(config.CACHE_DIR)) / f"bearoff-{_VERSION}.npy"  # type: ignore[attr-defined]
    try:
        kept: FloatArray = np.load(path)
        if kept.shape == (HOMES, MOST_ROLLS):
            return kept
    except (OSError, ValueError, EOFError):
        pass
    homes = _all_homes()
    made = np.zeros((HOMES, MOST_ROLLS), np.float32)
    fill(homes, made)
    part = path.with_suffix(f".{id(made)}.npy")
    np.save(part, made)
    part.replace(path)
    return made


def _all_homes() -> IntArray:
    """Every home, the nearer to the end the earlier."""
    counts = np.indices((CHECKERS + 1,) * 3, np.int8).reshape(3, -1).T
    counts = counts[counts.sum(1) <= CHECKERS]
    pairs = (
        np.repeat(np.arange(len(counts)), len(counts)),
        np.tile(np.arange(len(counts)), len(counts)),
    )
    fits = counts.sum(1)[pairs[0]] + counts.sum(1)[pairs[1]] <= CHECKERS
    homes = np.hstack([counts[pairs[0][fits]], counts[pairs[1][fits]]])
    order = np.argsort(homes @ np.arange(1, HOME + 1), kind="stable")
    found: IntArray = np.ascontiguousarray(homes[order])
    return found


@njit
def home_index(home: IntArray) -> int:
    """A number of its own below `HOMES` for each home; `home[0]` = the count on the one point."""
    index, before = 0, 0
    for point in range(HOME):
        before += wide(home[point])
        index += CHOOSE[before + point, point + 1]
    return index


@njit
def fill(homes: IntArray, made: FloatArray) -> None:
    """Works out the whole table; `homes` the nearest to the end first."""
    means = np.zeros(HOMES)
    best = np.empty(1, np.int64)
    made[home_index(homes[0]), 0] = 1.0
    for at in range(1, len(homes)):
        home, row = homes[at], home_index(homes[at])
        for high in range(1, 7):
            for low in range(1, high + 1):
                best[0] = -1
                if high == low:
                    _try(home, high, low, 4, means, best)
                else:
                    _try(home, high, low, 2, means, best)
                    _try(home, low, high, 2, means, best)
                share = (1.0 if high == low else 2.0) / 36.0
                for rolls in range(MOST_ROLLS - 1):
                    made[row, rolls + 1] += share * made[best[0], rolls]
        for rolls in range(MOST_ROLLS):
            means[row] += rolls * made[row, rolls]


@njit
def _try(
    home: IntArray, die: int, other: int, left: int, means: FloatArray, best: IntArray
) -> None:
    """Plays the die, then the other, in every way; the best end so far to `best`."""
    highest = HOME
    while highest and home[highest - 1] == 0:
        highest -= 1
    if left == 0 or highest == 0:
        index = home_index(home)
        if best[0] < 0 or means[index] < means[best[0]]:
            best[0] = index
        return
    for point in range(1, highest + 1):
        if home[point - 1] == 0 or (point < die and point != highest):
            continue
        home[point - 1] -= 1
        if point > die:
            home[point - die - 1] += 1
        _try(home, other, die, left - 1, means, best)
        home[point - 1] += 1
        if point > die:
            home[point - die - 1] -= 1


@njit
def on_roll_wins(rolls: FloatArray, mine: int, theirs: int) -> float:
    """The chance that the side on roll is through first; the sides by their `home_index`."""
    won, behind = 0.0, 1.0
    for turn in range(MOST_ROLLS):
        won += rolls[mine, turn] * behind
        behind -= rolls[theirs, turn]
    return won
