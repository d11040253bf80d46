"""Lookahead: the results of a turn evaluated 0, 1 or 2 plies deep; compiled.

One more ply replaces the net's evaluation of a result by the mean over the other side's 21 rolls;
for each roll, that side makes the reply that is best one ply shallower. Finished games count
exactly. Values are for the side that plays the turn, by its row of `stakes`: row 0 for the
searching side, row 1 for the other. `worth` explains a row.
"""

from typing import NamedTuple

import numpy as np

from games.ai.kernel import choice, game, last_turn, net
from games.ai.kernel.arrays import copy, copy_board
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.jit import njit, thin

MAX_PLIES = 2
MAX_REPLIES = 8

_HEAD, _CHECKERS = 24, 15


class Filters(NamedTuple):
    """Limits on the results that are searched one ply deeper.

    `most`: their number. `gap`: how much equity each may be behind the best (a single win is 1).
    """

    most_1: int  # results of the turn, at ply 1
    gap_1: float
    most_2: int  # results of the turn, at ply 2
    gap_2: float
    most_replies: int  # replies of the other side, at ply 2
    gap_replies: float


class Judged(NamedTuple):
    """Results of one turn, a row each: value and chances are those of the side that plays it."""

    boards: IntArray
    worths: FloatArray
    chances: FloatArray
    over: IntArray  # 1 = the game is over
    plies: IntArray  # number of plies searched
    rows: IntArray  # the best first, as far as `narrow` sorted them


class SearchBuffers(NamedTuple):
    """Work arrays, one set for each thread; `results` holds the results of `search`."""

    turn: choice.TurnBuffers
    results: Judged
    replies: Judged  # of the second ply
    last: Judged  # of the turn evaluated last; its boards are `turn.afters`
    boards: IntArray  # [ply, point]
    means: FloatArray  # [ply, output]


def make_search_buffers(weights: net.Weights) -> SearchBuffers:
    """Allocate work arrays for nets of this shape."""
    buffers = choice.make_turn_buffers(weights)
    last = _judged(buffers.afters)
    results = _judged(np.empty_like(buffers.afters))
    replies = _judged(np.empty((MAX_REPLIES, 26), np.int8))
    boards, means = np.empty((3, 26), np.int8), np.empty((3, net.OUTPUTS), np.float32)
    return SearchBuffers(buffers, results, replies, last, boards, means)


def _judged(boards: IntArray) -> Judged:
    count = len(boards)
    over, plies, rows = np.zeros((3, count), np.int64)
    chances = np.empty((count, net.OUTPUTS), np.float32)
    return Judged(boards, np.empty(count), chances, over, plies, rows)


@njit
def worth(row: FloatArray, chances: FloatArray) -> float:
    """Return the value of the chances by a row of stakes.

    The row holds what each chance adds, then the value of a plain loss.
    """
    total: float = row[net.OUTPUTS]
    for output in range(net.OUTPUTS):
        total += row[output] * chances[output]
    return total


@njit
def search(
    variant: int,
    board: IntArray,
    d1: int,
    d2: int,
    flags: int,
    kinds: int,
    plies: int,
    to_compare: bool,
    stakes: FloatArray,
    filters: Filters,
    weights: net.Weights,
    work: SearchBuffers,
) -> tuple[int, int]:
    """Evaluate the turn's results into `work.results`; return (their count, the row of the best).

    The search stops when the filters leave a single result. With `to_compare` that result is still
    searched to the full depth, so that others can be compared with it.
    """
    found = judge(variant, board, d1, d2, flags, kinds, 0, stakes, weights, work)
    results = work.results
    _copy_judged(work.last, results, found)
    kept, reached = found, 0
    for ply in range(1, plies + 1):
        most, gap = filters.most_1, filters.gap_1
        if ply == 2:
            most, gap = filters.most_2, filters.gap_2
        kept = narrow(results, kept, most, gap)
        if kept == 1 and not to_compare:
            break
        reached = ply
        for at in range(kept):
            row = results.rows[at]
            if results.over[row]:
                continue
            game.flip(variant, results.boards[row], work.boards[ply])
            if ply == 1:
                _look_once(variant, 1, flags, kinds, stakes, weights, work)
            else:
                _look_twice(variant, 1, flags, kinds, stakes, filters, weights, work)
            net.flip_chances(work.means[ply], results.chances[row])
            results.worths[row] = worth(stakes[0], results.chances[row])
            results.plies[row] = ply
    return found, _best_at(results, found, reached)


@thin
def _best_at(results: Judged, found: int, plies: int) -> int:
    """Return the best row of this depth; finished games are exact, so they get this depth too."""
    best, most = 0, -np.inf
    for row in range(found):
        if results.over[row]:
            results.plies[row] = plies
        if results.plies[row] == plies and results.worths[row] > most:
            best, most = row, results.worths[row]
    return best


@thin
def _look_once(
    variant: int,
    side: int,
    flags: int,
    kinds: int,
    stakes: FloatArray,
    weights: net.Weights,
    work: SearchBuffers,
) -> None:
    """Write the 1-ply chances of the side on roll on `work.boards[1]` to `work.means[1]`."""
    board, mean, last = work.boards[1], work.means[1], work.last
    now = flags_of(variant, board, flags)
    mean[:] = 0.0
    for d1 in range(1, 7):
        for d2 in range(1, d1 + 1):
            found = judge(variant, board, d1, d2, now, kinds, side, stakes, weights, work)
            narrow(last, found, 1, 0.0)
            _add_roll(d1, d2, last.chances[last.rows[0]], mean)


@thin
def _look_twice(
    variant: int,
    side: int,
    flags: int,
    kinds: int,
    stakes: FloatArray,
    filters: Filters,
    weights: net.Weights,
    work: SearchBuffers,
) -> None:
    """Write the 2-ply chances of the side on roll on `work.boards[2]` to `work.means[2]`.

    Only plays that pass the filter of replies are searched one ply deeper.
    """
    board, mean = work.boards[2], work.means[2]
    last, replies = work.last, work.replies
    now = flags_of(variant, board, flags)
    mean[:] = 0.0
    for d1 in range(1, 7):
        for d2 in range(1, d1 + 1):
            found = judge(variant, board, d1, d2, now, kinds, side, stakes, weights, work)
            kept = narrow(last, found, filters.most_replies, filters.gap_replies)
            for at in range(kept):
                _copy_row(last, last.rows[at], replies, at)
            for at in range(kept):
                if replies.over[at]:
                    continue
                game.flip(variant, replies.boards[at], work.boards[1])
                _look_once(variant, 1 - side, flags, kinds, stakes, weights, work)
                net.flip_chances(work.means[1], replies.chances[at])
                replies.worths[at] = worth(stakes[side], replies.chances[at])
            narrow(replies, kept, 1, 0.0)
            _add_roll(d1, d2, replies.chances[replies.rows[0]], mean)


@njit
def flags_of(variant: int, board: IntArray, flags: int) -> int:
    """Return the flags of a later turn: those of the rules, and FIRST_TURN if it applies.

    No side can pass its first turn, so a side with all checkers on the head has not moved yet.
    """
    if variant == game.LONG and board[_HEAD] == _CHECKERS:
        return flags | game.FIRST_TURN
    return flags & ~game.FIRST_TURN


@njit
def judge(
    variant: int,
    board: IntArray,
    d1: int,
    d2: int,
    flags: int,
    kinds: int,
    side: int,
    stakes: FloatArray,
    weights: net.Weights,
    work: SearchBuffers,
) -> int:
    """Evaluate the results of a turn at 0-ply into `work.last`; return their count.

    `side` is the row of `stakes` of the side that plays the turn.
    """
    buffers, last = work.turn, work.last
    ends = last_turn.is_last(variant, board, kinds)
    found = game.afterstates(variant, board, d1, d2, flags, buffers.afters)
    phase = count = 0
    if not ends:
        phase, count = choice.set_base(variant, board, weights, buffers)
    for row in range(found):
        points = game.finished(variant, buffers.afters[row], kinds)
        last.over[row], last.plies[row], last.rows[row] = ends or points > 0, 0, row
        if ends:
            last_turn.write_chances_after(variant, buffers.afters[row], kinds, last.chances[row])
        elif points and flags & last_turn.BEGAN << side:
            last_turn.write_chances_before(
                variant, buffers.afters[row], flags, kinds, last.chances[row]
            )
        elif points:
            choice.won_chances(points, last.chances[row])
        else:
            choice.judge_result(variant, buffers.afters[row], phase, count, weights, buffers)
            net.flip_chances(buffers.chances, last.chances[row])
        last.worths[row] = worth(stakes[side], last.chances[row])
    choice.clear_base(count, buffers)
    return found


@njit
def narrow(judged: Judged, count: int, most: int, gap: float) -> int:
    """Sort the best of the first `count` of `rows` to the front; return how many pass the filter.

    At most `most` pass, and only those at most `gap` behind the best.
    """
    rows, worths = judged.rows, judged.worths
    kept = 0
    while kept < min(count, most):
        best = kept
        for at in range(kept + 1, count):
            if worths[rows[at]] > worths[rows[best]]:
                best = at
        if kept and worths[rows[best]] < worths[rows[0]] - gap:
            break
        rows[kept], rows[best] = rows[best], rows[kept]
        kept += 1
    return kept


@njit
def _copy_row(source: Judged, row: int, target: Judged, at: int) -> None:
    copy_board(source.boards[row], target.boards[at])
    copy(source.chances[row], target.chances[at], net.OUTPUTS)
    target.worths[at] = source.worths[row]
    target.over[at], target.plies[at], target.rows[at] = source.over[row], source.plies[row], at


@thin
def _copy_judged(source: Judged, target: Judged, count: int) -> None:
    for row in range(count):
        _copy_row(source, row, target, row)


@njit
def _add_roll(d1: int, d2: int, chances: FloatArray, mean: FloatArray) -> None:
    """Add the chances after a roll to the mean, weighted by the probability of the roll."""
    share = np.float32((1.0 if d1 == d2 else 2.0) / 36.0)
    for output in range(net.OUTPUTS):
        mean[output] += share * chances[output]
