"""The best whole turn at 0-ply: by the net's evaluation of each result."""

from typing import NamedTuple

import numpy as np

from games.ai.kernel import bearoff, game, net
from games.ai.kernel.arrays import copy
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.jit import njit, thin


class TurnBuffers(NamedTuple):
    """Work arrays, one set for each thread."""

    afters: IntArray
    flipped: IntArray
    idx: IntArray
    val: FloatArray
    hidden: FloatArray
    chances: FloatArray
    best_idx: IntArray
    best_val: FloatArray
    best_chances: FloatArray
    bearoff_chances: FloatArray  # `bearoff.table`
    base: "Base"


class Base(NamedTuple):
    """The position before the turn; the results differ from it in a few inputs only."""

    idx: IntArray
    val: FloatArray
    sums: FloatArray  # of the hidden units
    dense: FloatArray  # the value of each input
    seen: IntArray  # by input: the value of `clock` at the last result with this input
    clock: IntArray  # one number: how many results were judged so far
    changed_idx: IntArray
    changed_val: FloatArray


def make_turn_buffers(weights: net.Weights) -> TurnBuffers:
    """Allocate work arrays for nets of this shape."""
    _phases, inputs, hidden = weights.first.shape

    def indexes() -> IntArray:
        return np.empty(2 * game.MAX_ACTIVE, np.int16)

    def values(count: int = 2 * game.MAX_ACTIVE) -> FloatArray:
        return np.zeros(count, np.float32)

    clock, seen = np.zeros(1, np.int64), np.zeros(inputs, np.int64)
    base = Base(
        idx=indexes(),
        val=values(),
        sums=values(hidden),
        dense=values(inputs),
        seen=seen,
        clock=clock,
        changed_idx=indexes(),
        changed_val=values(),
    )
    return TurnBuffers(
        afters=np.empty((game.MAX_AFTERSTATES, 26), np.int8),
        flipped=np.empty(26, np.int8),
        idx=indexes(),
        val=values(),
        hidden=values(hidden),
        chances=values(net.OUTPUTS),
        best_idx=indexes(),
        best_val=values(),
        best_chances=values(net.OUTPUTS),
        bearoff_chances=bearoff.table(),
        base=base,
    )


@thin
def evaluate(variant: int, board: IntArray, weights: net.Weights, buffers: TurnBuffers) -> int:
    """Write the chances of the player on roll to `buffers.chances`; return the number of inputs."""
    count = game.encode(variant, board, buffers.idx, buffers.val)
    phase = game.phase(variant, board)
    net.forward(weights, phase, buffers.idx, buffers.val, count, buffers.hidden, buffers.chances)
    if phase == game.RACE:
        _use_exact_chances(variant, board, buffers)
    return count


@njit
def _use_exact_chances(variant: int, board: IntArray, buffers: TurnBuffers) -> None:
    """If both sides bear off, write the exact chance to win and remove impossible mars."""
    mine, theirs = game.home_indexes(variant, board)
    if mine < 0:
        return
    chances = buffers.chances
    chances[net.WIN] = bearoff.on_roll_wins(buffers.bearoff_chances, mine, theirs)
    chances[net.WIN_KOKS] = chances[net.LOSE_KOKS] = 0.0
    if game.has_borne_off(variant, board, -1):
        chances[net.WIN_MARS] = 0.0
    if game.has_borne_off(variant, board, 1):
        chances[net.LOSE_MARS] = 0.0


@thin
def keep(count: int, buffers: TurnBuffers) -> None:
    """Store what `evaluate` or `judge_result` has just written, as the best result so far."""
    copy(buffers.idx, buffers.best_idx, count)
    copy(buffers.val, buffers.best_val, count)
    copy(buffers.chances, buffers.best_chances, net.OUTPUTS)


@njit
def won_chances(points: int, chances: FloatArray) -> None:
    """Write the winner's chances of a finished game."""
    for output in range(net.OUTPUTS):
        chances[output] = np.float32(output < points)


@njit
def best_turn(
    variant: int,
    board: IntArray,
    d1: int,
    d2: int,
    flags: int,
    kinds: int,
    weights: net.Weights,
    buffers: TurnBuffers,
) -> tuple[int, int, int]:
    """Return (the best row of `buffers.afters`, the points that it wins, the number of its inputs).

    `buffers` then holds the other side's view of that row: `best_chances`, and the inputs in
    `best_idx` and `best_val`.
    """
    found = game.afterstates(variant, board, d1, d2, flags, buffers.afters)
    base_phase, base_count = set_base(variant, board, weights, buffers)
    best, best_equity, inputs, points = 0, 1000.0, 0, 0
    for row in range(found):
        points = game.finished(variant, buffers.afters[row], kinds)
        if points:
            won_chances(points, buffers.best_chances)
            net.flip_chances(buffers.best_chances, buffers.best_chances)
            best, inputs = row, 0
            break
        count = judge_result(variant, buffers.afters[row], base_phase, base_count, weights, buffers)
        worth = net.equity(buffers.chances)
        if worth < best_equity:
            best, best_equity, inputs = row, worth, count
            keep(count, buffers)
    clear_base(base_count, buffers)
    return best, points, inputs


@thin
def set_base(
    variant: int, board: IntArray, weights: net.Weights, buffers: TurnBuffers
) -> tuple[int, int]:
    """Prepare `judge_result` for the turns from this board; return (phase, number of inputs)."""
    base = buffers.base
    game.flip(variant, board, buffers.flipped)
    phase = game.phase(variant, buffers.flipped)
    count = game.encode(variant, buffers.flipped, base.idx, base.val)
    copy(weights.bias[phase], base.sums, len(base.sums))
    net.add_rows(weights, phase, base.idx, base.val, count, base.sums)
    for at in range(count):
        base.dense[base.idx[at]] = base.val[at]
    return phase, count


@thin
def clear_base(count: int, buffers: TurnBuffers) -> None:
    """Clear the base after the last `judge_result`; `count` as `set_base` returned it."""
    for at in range(count):
        buffers.base.dense[buffers.base.idx[at]] = 0.0


@thin
def judge_result(
    variant: int,
    after: IntArray,
    base_phase: int,
    base_count: int,
    weights: net.Weights,
    buffers: TurnBuffers,
) -> int:
    """Write the other side's chances after a turn to `buffers.chances`; return the input count.

    If the base has the same phase, add only the inputs that differ from it.
    """
    game.flip(variant, after, buffers.flipped)
    phase = game.phase(variant, buffers.flipped)
    count = game.encode(variant, buffers.flipped, buffers.idx, buffers.val)
    if phase == base_phase:
        changed = _changes(base_count, count, buffers)
        copy(buffers.base.sums, buffers.hidden, len(buffers.hidden))
        net.add_rows(
            weights,
            phase,
            buffers.base.changed_idx,
            buffers.base.changed_val,
            changed,
            buffers.hidden,
        )
    else:
        copy(weights.bias[phase], buffers.hidden, len(buffers.hidden))
        net.add_rows(weights, phase, buffers.idx, buffers.val, count, buffers.hidden)
    net.judge(weights, phase, buffers.hidden, buffers.chances)
    if phase == game.RACE:
        _use_exact_chances(variant, buffers.flipped, buffers)
    return count


@njit
def _changes(base_count: int, count: int, buffers: TurnBuffers) -> int:
    """Write the inputs that differ from the base and by how much; return their count.

    An input is always written but counted only if it differs: that is faster than a branch.
    """
    base = buffers.base
    base.clock[0] += 1
    now, changed = base.clock[0], 0
    for at in range(count):
        number = buffers.idx[at]
        base.seen[number] = now
        difference = buffers.val[at] - base.dense[number]
        base.changed_idx[changed], base.changed_val[changed] = number, difference
        changed += difference != 0.0
    for at in range(base_count):
        number = base.idx[at]
        base.changed_idx[changed], base.changed_val[changed] = number, -base.val[at]
        changed += base.seen[number] != now
    return changed
