"""Short backgammon, compiled: whole turns, the other side's view, the end of a game.

`games.engine` stays the source of truth; a test compares the two under every rule switch. The
board is described in the docstring of `games.ai.kernel`.
"""

import numpy as np
from numba.cpython.unsafe.numbers import leading_zeros

from games.ai.kernel.arrays import copy_board, wide
from games.ai.kernel.bits import IntArray, trailing_zeros
from games.ai.kernel.jit import njit
from games.ai.kernel.short.hit_and_run import hit_and_run_afterstates
from games.ai.kernel.short.inputs import INPUTS, INPUTS_VERSION, MAX_ACTIVE, encode, is_race
from games.ai.kernel.short.single_moves import is_blot, masks_of, movable, put
from games.engine.board.position import Counts
from games.engine.rules import HitRule, Profile, Rules

__all__ = [
    "INPUTS", "INPUTS_VERSION", "KOKS", "MANUAL", "MARS", "MAX_ACTIVE", "MAX_AFTERSTATES",
    "NO_HIT_AND_RUN", "PHASES", "afterstates", "board_of", "counts_of", "encode", "finished",
    "flip", "kinds_of", "phase", "start", "turn_flags",
]  # fmt: skip

# A bit of `flags`: a checker that hit may not go on in the same turn to a point that holds a
# checker of its side.
NO_HIT_AND_RUN = 8

# Bits of `kinds`. MARS, KOKS: mars and koks count. MANUAL: a loser's checker outside the loser's
# home makes mars, even if others have been borne off.
MARS, KOKS, MANUAL = 1, 2, 8

# Four moves among fifteen checkers: C(18, 4).
MAX_AFTERSTATES = 3060
# Two moves by different dice, in both orders: 2 * 15 * 15.
_MAX_PLAIN = 450

# A net for the race, and four for contact, by which sides have a checker in the enemy's home or on
# the bar.
PHASES = 5
BOTH_BEHIND, RACE, MINE_BEHIND, THEIRS_BEHIND, NONE_BEHIND = range(PHASES)

_START = ((24, 2), (13, 5), (8, 3), (6, 5), (19, -5), (17, -3), (12, -5), (1, -2))

# Random numbers for each place. Their sum over the moves of a turn is the key of its result: equal
# results have equal keys, different ones practically never.
_PLACE_KEY = np.random.default_rng(1).integers(1, 2**62, 26)
_HIT_KEY = np.random.default_rng(2).integers(1, 2**62, 26)


def turn_flags(rules: Rules, first_turn: bool = False) -> int:
    """Return the `flags` of a turn under these rules; `first_turn` makes no difference here."""
    return NO_HIT_AND_RUN if rules.hit is HitRule.NO_HIT_AND_RUN else 0


def kinds_of(rules: Rules) -> int:
    """Return the `kinds` of a game under these rules."""
    kinds = (MARS if rules.mars else 0) | (KOKS if rules.koks else 0)
    return kinds | (MANUAL if rules.profile is Profile.MANUAL else 0)


def board_of(mine: Counts, theirs: Counts) -> IntArray:
    """Return the board of the engine's counts of the mover and the other side."""
    board = np.zeros(26, np.int8)
    board[1:25] = np.array(mine[1:25]) - np.array(theirs[24:0:-1])
    board[0], board[25] = theirs[25], mine[25]
    return board


def counts_of(board: IntArray) -> tuple[Counts, Counts]:
    """Return the engine's counts of the mover and the other side; missing checkers are off."""
    mine = [0, *(max(0, int(count)) for count in board[1:26])]
    theirs = [0, *(max(0, -int(count)) for count in board[24:0:-1]), int(board[0])]
    mine[0], theirs[0] = 15 - sum(mine), 15 - sum(theirs)
    return tuple(mine), tuple(theirs)


@njit
def start(board: IntArray) -> None:
    for place in range(26):
        board[place] = 0
    for place, count in _START:
        board[place] = count


@njit
def flip(board: IntArray, out: IntArray) -> None:
    """Write the board as the other side sees it; `out` must be another array."""
    for point in range(1, 25):
        out[point] = -board[25 - point]
    out[0], out[25] = board[25], board[0]


@njit
def phase(board: IntArray) -> int:
    """Return the phase, the number of the net that evaluates the board."""
    if is_race(board):
        return RACE
    mine, theirs = board[25] > 0, board[0] > 0
    for point in range(1, 7):
        mine |= board[25 - point] > 0
        theirs |= board[point] < 0
    if mine:
        return BOTH_BEHIND if theirs else MINE_BEHIND
    return THEIRS_BEHIND if theirs else NONE_BEHIND


@njit
def finished(board: IntArray, kinds: int) -> int:
    """Return the points of the mover's win, 0 while checkers are left; the cube is not counted."""
    theirs = wide(board[0])
    for point in range(1, 26):
        if board[point] > 0:
            return 0
        theirs -= board[point]
    if not kinds & MARS or (theirs < 15 and not kinds & MANUAL):
        return 1
    # In the mover's numbers the enemy's first quarter is 1-6 and the enemy's home 19-24.
    is_far, is_out = board[0] > 0, board[0] > 0
    for point in range(1, 19):
        if board[point] < 0:
            is_out = True
            is_far |= point < 7
    if is_far and kinds & KOKS:
        return 3
    return 1 if kinds & MANUAL and not is_out else 2


@njit
def afterstates(board: IntArray, d1: int, d2: int, flags: int, out: IntArray) -> int:
    """Write the distinct boards after the whole turn to `out`, still seen by the mover.

    Return their count: at least one, since a pass leaves the board unchanged.
    """
    own, free, blots = masks_of(board)
    if flags & NO_HIT_AND_RUN and blots:
        return hit_and_run_afterstates(board, d1, d2, out)
    if d1 == d2:
        return _doublet(board, d1, own, free, out)
    return _plain(board, max(d1, d2), min(d1, d2), own, free, blots, out)


@njit
def _plain(
    board: IntArray, high: int, low: int, own: int, free: int, blots: int, out: IntArray
) -> int:
    """Play both dice in either order; if only one can be played, the larger if possible."""
    keys = np.empty(_MAX_PLAIN, np.int64)
    found = 0
    for order in range(2):
        first, second = (high, low) if order == 0 else (low, high)
        sources = movable(own, free, first)
        while sources:
            source = trailing_zeros(sources)
            sources &= sources - 1
            target = max(source - first, 0)
            hit = is_blot(blots, target)
            key = _PLACE_KEY[target] - _PLACE_KEY[source] + (_HIT_KEY[target] if hit else 0)
            after = own if board[source] > 1 else own & ~(1 << source)
            after |= (1 << target) & ~1
            rest = movable(after, free, second)
            while rest:
                source_2 = trailing_zeros(rest)
                rest &= rest - 1
                target_2 = max(source_2 - second, 0)
                hits_too = is_blot(blots, target_2) and target_2 != target
                key_2 = key + _PLACE_KEY[target_2] - _PLACE_KEY[source_2]
                key_2 += _HIT_KEY[target_2] if hits_too else 0
                if not _is_known(keys, found, key_2):
                    keys[found] = key_2
                    row = out[found]
                    copy_board(board, row)
                    put(row, source, target)
                    put(row, source_2, target_2)
                    found += 1
    if found:
        return found
    for die in (high, low):
        found = _single(board, movable(own, free, die), die, out)
        if found:
            return found
    copy_board(board, out[0])
    return 1


@njit
def _is_known(keys: IntArray, count: int, key: int) -> bool:
    known = False
    for index in range(count):  # no early exit, so that the loop can be vectorized
        known |= keys[index] == key
    return known


@njit
def _single(board: IntArray, sources: int, die: int, out: IntArray) -> int:
    found = 0
    while sources:
        source = trailing_zeros(sources)
        sources &= sources - 1
        copy_board(board, out[found])
        put(out[found], source, max(source - die, 0))
        found += 1
    return found


@njit
def _doublet(board: IntArray, die: int, own: int, free: int, out: IntArray) -> int:
    """Search depth first, rear checkers first, so that each result is reached once."""
    moved = np.empty(26, np.int8)
    copy_board(board, moved)
    left = np.empty(4, np.int64)  # the sources still to be tried at each depth
    chosen = np.empty(4, np.int64)
    hits = np.empty(4, np.bool_)
    depth, best, found = 0, 0, 0
    left[0] = movable(own, free, die)
    while depth >= 0:
        sources = left[depth]
        if not sources:
            depth -= 1
            if depth >= 0:
                _take_back(moved, chosen[depth], die, hits[depth])
            continue
        source = 63 - leading_zeros(sources)  # type: ignore[call-arg]
        left[depth] = sources ^ 1 << source
        target = max(source - die, 0)
        if depth + 1 > best:
            best, found = depth + 1, 0
        if depth + 1 == best:
            copy_board(moved, out[found])
            put(out[found], source, target)
            found += 1
        if depth == 3:
            continue
        chosen[depth] = source
        hits[depth] = target > 0 and moved[target] == -1
        put(moved, source, target)
        depth += 1
        left[depth] = movable(_held(moved), free, die) & ((2 << source) - 1)
    if best:
        return found
    copy_board(board, out[0])
    return 1


@njit
def _held(board: IntArray) -> int:
    held = 0
    for place in range(1, 26):
        held |= wide(board[place] > 0) << place
    return held


@njit
def _take_back(board: IntArray, source: int, die: int, hit: bool) -> None:
    board[source] += 1
    if source > die:
        board[source - die] -= 1
        if hit:
            board[source - die] = -1
            board[0] -= 1
