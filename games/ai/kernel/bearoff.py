"""Exact one-sided bear-off table: the chance of bearing off in exactly n rolls, for every home.

A home is any distribution of up to fifteen checkers on six points; the table is valid for both
variants. A roll is played so that the mean number of rolls left is smallest: nearly optimal.
The table takes a second or two to compute and is kept beside the compiled code.
"""

import os

import numpy as np

from games.ai.kernel.arrays import wide
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.jit import kept_folder, njit

CHECKERS = 15
HOME_POINTS = 6
ROWS = 54264  # of the table: one for every home
COLUMNS = 20  # of the table: 0 to 19 rolls; fewer than one game in a million takes more

_VERSION = 1


def _binomials() -> IntArray:
    table = np.zeros((CHECKERS + HOME_POINTS + 1, HOME_POINTS + 1), np.int64)
    table[:, 0] = 1
    for n in range(1, len(table)):
        for k in range(1, HOME_POINTS + 1):
            table[n, k] = table[n - 1, k - 1] + table[n - 1, k]
    return table


CHOOSE = _binomials()


def table() -> FloatArray:
    """Return the table: `table()[home_index(home), n]` = the chance of exactly n rolls."""
    path = kept_folder() / f"bearoff-{_VERSION}.npy"
    try:
        kept: FloatArray = np.load(path)
        if kept.shape == (ROWS, COLUMNS):
            return kept
    except (OSError, ValueError, EOFError):
        pass
    homes = _all_homes()
    made = np.zeros((ROWS, COLUMNS), np.float32)
    fill(homes, made)
    # Another process or thread may make the table at the same time.
    part = path.with_suffix(f".{os.getpid()}-{id(made)}.npy")
    np.save(part, made)
    part.replace(path)
    return made


def _all_homes() -> IntArray:
    """Return every home, sorted by pip count."""
    counts = np.indices((CHECKERS + 1,) * 3, np.int8).reshape(3, -1).T
    counts = counts[counts.sum(1) <= CHECKERS]
    pairs = (
        np.repeat(np.arange(len(counts)), len(counts)),
        np.tile(np.arange(len(counts)), len(counts)),
    )
    fits = counts.sum(1)[pairs[0]] + counts.sum(1)[pairs[1]] <= CHECKERS
    homes = np.hstack([counts[pairs[0][fits]], counts[pairs[1][fits]]])
    order = np.argsort(homes @ np.arange(1, HOME_POINTS + 1), kind="stable")
    found: IntArray = np.ascontiguousarray(homes[order])
    return found


@njit
def home_index(home: IntArray) -> int:
    """Return the row of a home in the table; `home[0]` = the count on point 1."""
    index, before = 0, 0
    for point in range(HOME_POINTS):
        before += wide(home[point])
        index += CHOOSE[before + point, point + 1]
    return index


@njit
def fill(homes: IntArray, made: FloatArray) -> None:
    """Compute the whole table; `homes` are sorted by pips, as a row needs those of fewer pips."""
    means = np.zeros(ROWS)
    steps, sources = np.empty((5, HOME_POINTS), np.int8), np.empty(5, np.int64)
    made[home_index(homes[0]), 0] = 1.0
    for at in range(1, len(homes)):
        home, row = homes[at], home_index(homes[at])
        for high in range(1, 7):
            for low in range(1, high + 1):
                steps[0] = home
                if high == low:
                    best = _best_row(high, low, 4, -1, means, steps, sources)
                else:
                    best = _best_row(high, low, 2, -1, means, steps, sources)
                    best = _best_row(low, high, 2, best, means, steps, sources)
                share = (1.0 if high == low else 2.0) / 36.0
                for rolls in range(COLUMNS - 1):
                    made[row, rolls + 1] += share * made[best, rolls]
        for rolls in range(COLUMNS):
            means[row] += rolls * made[row, rolls]


@njit
def _best_row(
    die: int,
    other: int,
    moves: int,
    best: int,
    means: FloatArray,
    steps: IntArray,
    sources: IntArray,
) -> int:
    """Return the row with the smallest mean number of rolls left after `die` and `other` in turn.

    Compare all ways to play `moves` moves (4 for a doublet, else 2), and the row `best` of an
    earlier call, -1 if there was none. `steps[0]` is the home before the roll. Work space: the
    later rows of `steps`, the homes after each move, and `sources`, the point tried last for each
    move. Not recursive: recursive compiled code crashes when it is loaded from the cache.
    """
    sources[0], depth = 0, 0
    while depth >= 0:
        home = steps[depth]
        highest = HOME_POINTS
        while highest and home[highest - 1] == 0:
            highest -= 1
        if depth == moves or highest == 0:
            index = home_index(home)
            if best < 0 or means[index] < means[best]:
                best = index
            depth -= 1
            continue
        sources[depth] += 1
        point, pips = sources[depth], die if depth % 2 == 0 else other
        if point > highest:
            depth -= 1
        elif home[point - 1] and (point >= pips or point == highest):
            steps[depth + 1] = home
            steps[depth + 1, point - 1] -= 1
            if point > pips:
                steps[depth + 1, point - pips - 1] += 1
            depth += 1
            sources[depth] = 0
    return best


@njit
def on_roll_wins(chances: FloatArray, mine: int, theirs: int) -> float:
    """Return the chance that the side on roll bears off first.

    `chances` is the whole `table()`; `mine` and `theirs` are the sides' rows in it.
    """
    won, behind = 0.0, 1.0
    for turn in range(COLUMNS):
        won += chances[mine, turn] * behind
        behind -= chances[theirs, turn]
    return won
