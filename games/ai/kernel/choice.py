"""The best whole turn at 0-ply: by the net's evaluation of each result."""

from typing import NamedTuple

import numpy as np

from games.ai.kernel import bearoff, game, net
from games.ai.kernel.arrays import copy
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.jit import njit, thin


class Room(NamedTuple):
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
    rolls: FloatArray  # `bearoff.table`
    base: "Base"


class Base(NamedTuple):
    """The position before the turn; the results differ from it in a few inputs only."""

    idx: IntArray
    val: FloatArray
    sums: FloatArray  # of the hidden units
    dense: FloatArray  # the value of each input
    seen: IntArray  # by input: `clock` of the last result that had it
    clock: IntArray
    changed_idx: IntArray
    changed_val: FloatArray


def make_room(weights: net.Weights) -> Room:
    """Allocate work arrays for nets of this shape."""
    _phases, inputs, hidden = weights.first.shape

    def indexes() -> IntArray:
        return np.empty(2 * game.MAX_ACTIVE, np.int16)

    def values(count: int = 2 * game.MAX_ACTIVE) -> FloatArray:
        return np.zeros(count, np.float32)

    clock, seen = np.zeros(1, np.int64), np.zeros(inputs, np.int64)
    base = Base(
        indexes(), values(), values(hidden), values(inputs), seen, clock, indexes(), values()
    )
    return Room(
        np.empty((game.MAX_AFTERSTATES, 26), np.int8),
        np.empty(26, np.int8),
        indexes(),
        values(),
        values(hidden),
        values(net.OUTPUTS),
        indexes(),
        values(),
        values(net.OUTPUTS),
        bearoff.table(),
        base,
    )


@thin
def evaluate(variant: int, board: IntArray, weights: net.Weights, room: Room) -> int:
    """Write the chances of the player on roll to `room.chances`; return the count in `room.idx`."""
    count = game.encode(variant, board, room.idx, room.val)
    phase = game.phase(variant, board)
    net.forward(weights, phase, room.idx, room.val, count, room.hidden, room.chances)
    if phase == game.RACE:
        _know_better(variant, board, room)
    return count


@njit
def _know_better(variant: int, board: IntArray, room: Room) -> None:
    """Replace the chances by exact ones where both sides bear off; rule out impossible mars."""
    mine, theirs = game.home_indexes(variant, board)
    if mine < 0:
        return
    chances = room.chances
    chances[net.WIN] = bearoff.on_roll_wins(room.rolls, mine, theirs)
    chances[net.WIN_KOKS] = chances[net.LOSE_KOKS] = 0.0
    if game.has_borne_off(variant, board, -1):
        chances[net.WIN_MARS] = 0.0
    if game.has_borne_off(variant, board, 1):
        chances[net.LOSE_MARS] = 0.0


@thin
def keep(count: int, room: Room) -> None:
    """Store the result of `evaluate` as the best so far."""
    copy(room.idx, room.best_idx, count)
    copy(room.val, room.best_val, count)
    copy(room.chances, room.best_chances, net.OUTPUTS)


@njit
def won_chances(points: int, chances: FloatArray) -> None:
    """Write the winner's chances of a finished game."""
    for kind in range(net.OUTPUTS):
        chances[kind] = np.float32(kind < points)


@njit
def best_turn(
    variant: int,
    board: IntArray,
    d1: int,
    d2: int,
    flags: int,
    kinds: int,
    weights: net.Weights,
    room: Room,
) -> tuple[int, int, int]:
    """Return (row of `room.afters`, points won by it, input count of the resulting position).

    `room.best_chances` are those of the other side afterwards, `best_idx`, `best_val` the inputs.
    """
    found = game.afterstates(variant, board, d1, d2, flags, room.afters)
    base_phase, base_count = set_base(variant, board, weights, room)
    best, best_equity, inputs, points = 0, 1000.0, 0, 0
    for row in range(found):
        points = game.finished(variant, room.afters[row], kinds)
        if points:
            won_chances(points, room.best_chances)
            net.flip_chances(room.best_chances, room.best_chances)
            best, inputs = row, 0
            break
        count = judge_result(variant, room.afters[row], base_phase, base_count, weights, room)
        worth = net.equity(room.chances)
        if worth < best_equity:
            best, best_equity, inputs = row, worth, count
            keep(count, room)
    clear_base(base_count, room)
    return best, points, inputs


@thin
def set_base(variant: int, board: IntArray, weights: net.Weights, room: Room) -> tuple[int, int]:
    """Prepare `judge_result` for the turns of this board; return (its phase, its input count)."""
    base = room.base
    game.flip(variant, board, room.flipped)
    phase = game.phase(variant, room.flipped)
    count = game.encode(variant, room.flipped, base.idx, base.val)
    copy(weights.bias[phase], base.sums, len(base.sums))
    net.add_rows(weights, phase, base.idx, base.val, count, base.sums)
    for at in range(count):
        base.dense[base.idx[at]] = base.val[at]
    return phase, count


@thin
def clear_base(count: int, room: Room) -> None:
    """Reset the base after the last `judge_result`."""
    for at in range(count):
        room.base.dense[room.base.idx[at]] = 0.0


@thin
def judge_result(
    variant: int,
    after: IntArray,
    base_phase: int,
    base_count: int,
    weights: net.Weights,
    room: Room,
) -> int:
    """Write the other side's chances after a turn to `room.chances`; return its input count.

    Computed incrementally, from the inputs that differ from the base.
    """
    game.flip(variant, after, room.flipped)
    phase = game.phase(variant, room.flipped)
    count = game.encode(variant, room.flipped, room.idx, room.val)
    if phase == base_phase:
        changed = _changes(base_count, count, room)
        copy(room.base.sums, room.hidden, len(room.hidden))
        net.add_rows(
            weights, phase, room.base.changed_idx, room.base.changed_val, changed, room.hidden
        )
    else:
        copy(weights.bias[phase], room.hidden, len(room.hidden))
        net.add_rows(weights, phase, room.idx, room.val, count, room.hidden)
    net.judge(weights, phase, room.hidden, room.chances)
    if phase == game.RACE:
        _know_better(variant, room.flipped, room)
    return count


@njit
def _changes(base_count: int, count: int, room: Room) -> int:
    """Write the inputs that differ from the base and by how much; return their count."""
    base = room.base
    base.clock[0] += 1
    now, changed = base.clock[0], 0
    for at in range(count):
        number = room.idx[at]
        base.seen[number] = now
        difference = room.val[at] - base.dense[number]
        base.changed_idx[changed], base.changed_val[changed] = number, difference
        changed += difference != 0.0
    for at in range(base_count):
        number = base.idx[at]
        base.changed_idx[changed], base.changed_val[changed] = number, -base.val[at]
        changed += base.seen[number] != now
    return changed
