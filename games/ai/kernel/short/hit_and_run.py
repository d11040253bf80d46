"""Turns of short backgammon under the rule against hit-and-run.

A checker that has hit may not move on to a point that holds a checker of its side. If it shares its
point with other checkers, the one that moves on may be the hitter or not. So a state is a board
with the number of hitters on each place, and both choices are followed. Such turns are rare; the
code favors clarity over speed.
"""

import numpy as np

from games.ai.kernel.arrays import wide
from games.ai.kernel.bits import IntArray, trailing_zeros
from games.ai.kernel.jit import njit
from games.ai.kernel.short.single_moves import masks_of, movable, put

_PLACES = 26
_MOST = 20_000  # states after one die, at most
# A linear hash: one random factor for each place of the board and of the hitters.
_FACTORS = np.random.default_rng(3).integers(-(2**62), 2**62, 2 * _PLACES)


@njit
def hit_and_run_afterstates(board: IntArray, d1: int, d2: int, out: IntArray) -> int:
    """Write to `out` the boards after each turn that this rule allows; return their number."""
    high, low = max(d1, d2), min(d1, d2)
    begin = np.zeros((1, 2 * _PLACES), np.int8)
    begin[0, :_PLACES] = board
    level = begin
    if high == low:
        for _ in range(4):
            reached = _spread(level, high)
            if not len(reached):
                break
            level = reached
        return _write(level, out)
    after_high, after_low = _spread(begin, high), _spread(begin, low)
    both = np.concatenate((_spread(after_high, low), _spread(after_low, high)))
    for level in (both, after_high, after_low):
        if len(level):
            return _write(level, out)
    return _write(begin, out)


@njit
def _spread(level: IntArray, die: int) -> IntArray:
    """Return the distinct states after one die is played from every state of `level`."""
    reached = np.empty((_MOST, 2 * _PLACES), np.int8)
    keys = np.empty(_MOST, np.int64)
    found = 0
    for index in range(len(level)):
        state = level[index]
        own, free, _blots = masks_of(state)
        sources = movable(own, free, die)
        while sources:
            source = trailing_zeros(sources)
            sources &= sources - 1
            target = max(source - die, 0)
            hits = target > 0 and state[target] == -1
            is_safe = target > 0 and state[target] > 0
            hitters = state[_PLACES + source]
            for is_hitter in (False, True):
                if is_hitter and (hitters == 0 or is_safe):
                    continue
                if not is_hitter and state[source] == hitters:
                    continue
                after = reached[found]
                after[:] = state
                put(after, source, target)
                if is_hitter:
                    after[_PLACES + source] -= 1
                if target and (is_hitter or hits):
                    after[_PLACES + target] += 1
                found += _is_new(after, keys, found)
    return reached[:found].copy()


@njit
def _is_new(row: IntArray, keys: IntArray, found: int) -> int:
    key = wide(0)
    for place in range(len(row)):
        key += wide(row[place]) * _FACTORS[place]
    for index in range(found):
        if keys[index] == key:
            return 0
    keys[found] = key
    return 1


@njit
def _write(level: IntArray, out: IntArray) -> int:
    """Write the distinct boards of the states; return their count."""
    keys = np.empty(len(level), np.int64)
    found = 0
    for index in range(len(level)):
        out[found] = level[index, :_PLACES]
        found += _is_new(out[found], keys, found)
    return found
