"""The best whole turn as a net sees it at once, without looking ahead."""

from typing import NamedTuple

import numpy as np

from games.ai.kernel import game, net
from games.ai.kernel.arrays import copy
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.jit import njit


class Room(NamedTuple):
    """Arrays to work in, one set a thread."""

    afters: IntArray
    flipped: IntArray
    idx: IntArray
    val: FloatArray
    hidden: FloatArray
    chances: FloatArray
    best_idx: IntArray
    best_val: FloatArray
    best_chances: FloatArray


def make_room(weights: net.Weights) -> Room:
    hidden = weights.bias.shape[1]
    return Room(
        np.empty((game.MAX_AFTERSTATES, 26), np.int8),
        np.empty(26, np.int8),
        np.empty(game.MAX_ACTIVE, np.int16),
        np.empty(game.MAX_ACTIVE, np.float32),
        np.empty(hidden, np.float32),
        np.empty(net.OUTPUTS, np.float32),
        np.empty(game.MAX_ACTIVE, np.int16),
        np.empty(game.MAX_ACTIVE, np.float32),
        np.empty(net.OUTPUTS, np.float32),
    )


@njit
def evaluate(variant: int, board: IntArray, weights: net.Weights, room: Room) -> int:
    """The chances of the player on roll to `room.chances`; the count of inputs in `room.idx`."""
    count = game.encode(variant, board, room.idx, room.val)
    phase = game.phase(variant, board)
    net.forward(weights, phase, room.idx, room.val, count, room.hidden, room.chances)
    return count


@njit
def keep(count: int, room: Room) -> None:
    """What `evaluate` left becomes the best so far."""
    copy(room.idx, room.best_idx, count)
    copy(room.val, room.best_val, count)
    copy(room.chances, room.best_chances, net.OUTPUTS)


@njit
def won_chances(points: int, chances: FloatArray) -> None:
    """What a finished game is to its winner."""
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
    """(row of `room.afters`, points won by it, count of the inputs of the position it leads to).

    `room.best_chances` are those of the other side after it, `best_idx`, `best_val` its inputs.
    """
    found = game.afterstates(variant, board, d1, d2, flags, room.afters)
    best, best_equity, inputs = 0, 1000.0, 0
    for row in range(found):
        after = room.afters[row]
        points = game.finished(variant, after, kinds)
        if points:  # all results bear off the last checker and are worth the same
            won_chances(points, room.best_chances)
            net.flip_chances(room.best_chances, room.best_chances)
            return row, points, 0
        game.flip(variant, after, room.flipped)
        count = evaluate(variant, room.flipped, weights, room)
        worth = net.equity(room.chances)
        if worth < best_equity:
            best, best_equity, inputs = row, worth, count
            keep(count, room)
    return best, 0, inputs
