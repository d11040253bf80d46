"""The nets: sparse inputs, one hidden layer (softsign), five chances of the player on roll.

Outputs: win, win with mars (gammon) at least, win with koks (backgammon), loss with mars, loss with
koks. One net for each phase of the game, all in the same arrays.
"""

import math
from typing import NamedTuple

import numpy as np

from games.ai.kernel.arrays import copy
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.jit import njit, thin

OUTPUTS = 5
WIN, WIN_MARS, WIN_KOKS, LOSE_MARS, LOSE_KOKS = range(OUTPUTS)


class Weights(NamedTuple):
    """Arrays of float32, with these axes.

    `first` [phase, input, hidden], `bias` [phase, hidden], `second` [phase, output, hidden],
    `bias2` [phase, output].
    """

    first: FloatArray
    bias: FloatArray
    second: FloatArray
    bias2: FloatArray


def empty(phases: int, inputs: int, hidden: int) -> Weights:
    """Return weights that are all zero."""
    return Weights(
        np.zeros((phases, inputs, hidden), np.float32),
        np.zeros((phases, hidden), np.float32),
        np.zeros((phases, OUTPUTS, hidden), np.float32),
        np.zeros((phases, OUTPUTS), np.float32),
    )


def random_weights(phases: int, inputs: int, hidden: int, seed: int) -> Weights:
    """Return small weights to start a training with; they make mars and koks unlikely."""
    rng = np.random.default_rng(seed)
    weights = empty(phases, inputs, hidden)
    weights.first[:] = rng.normal(0.0, 0.1, weights.first.shape)
    weights.second[:] = rng.normal(0.0, 0.5 / math.sqrt(hidden), weights.second.shape)
    weights.bias2[:] = (0.0, -1.0, -4.0, -1.0, -4.0)
    return weights


@njit
def add_rows(
    weights: Weights, phase: int, idx: IntArray, val: FloatArray, count: int, sums: FloatArray
) -> None:
    """Add the inputs' contribution to the sums of the hidden units."""
    rows = weights.first[phase]
    at = 0
    while at + 4 <= count:  # four rows at a time: `sums` is read and written once for all four
        a, b, c, d = rows[idx[at]], rows[idx[at + 1]], rows[idx[at + 2]], rows[idx[at + 3]]
        va, vb, vc, vd = val[at], val[at + 1], val[at + 2], val[at + 3]
        for unit in range(len(sums)):
            sums[unit] += va * a[unit] + vb * b[unit] + vc * c[unit] + vd * d[unit]
        at += 4
    while at < count:
        a, va = rows[idx[at]], val[at]
        for unit in range(len(sums)):
            sums[unit] += va * a[unit]
        at += 1


@njit
def judge(weights: Weights, phase: int, hidden: FloatArray, chances: FloatArray) -> None:
    """Write the five chances; `hidden` holds the sums before and the activations after the call."""
    for unit in range(len(hidden)):
        hidden[unit] = hidden[unit] / (np.float32(1.0) + abs(hidden[unit]))
    second = weights.second[phase]
    for output in range(OUTPUTS):
        total = weights.bias2[phase, output]
        row = second[output]
        for unit in range(len(hidden)):
            total += row[unit] * hidden[unit]
        chances[output] = np.float32(1.0) / (np.float32(1.0) + math.exp(-total))


@thin
def forward(
    weights: Weights,
    phase: int,
    idx: IntArray,
    val: FloatArray,
    count: int,
    hidden: FloatArray,
    chances: FloatArray,
) -> None:
    """Write the five chances of the inputs; `hidden` holds the activations afterwards."""
    copy(weights.bias[phase], hidden, len(hidden))
    add_rows(weights, phase, idx, val, count, hidden)
    judge(weights, phase, hidden, chances)


@njit
def equity(chances: FloatArray) -> float:
    """Return the cubeless equity of the player on roll."""
    won: float = 2.0 * chances[WIN] - 1.0
    won += chances[WIN_MARS] + chances[WIN_KOKS] - chances[LOSE_MARS] - chances[LOSE_KOKS]
    return won


@njit
def flip_chances(chances: FloatArray, out: FloatArray) -> None:
    """Write the chances as seen by the other side; `out` may be the same array."""
    win_mars, win_koks = chances[WIN_MARS], chances[WIN_KOKS]
    out[WIN] = np.float32(1.0) - chances[WIN]
    out[WIN_MARS], out[WIN_KOKS] = chances[LOSE_MARS], chances[LOSE_KOKS]
    out[LOSE_MARS], out[LOSE_KOKS] = win_mars, win_koks


@njit
def learn(
    weights: Weights,
    phase: int,
    idx: IntArray,
    val: FloatArray,
    count: int,
    target: FloatArray,
    rate: float,
    hidden: FloatArray,
    chances: FloatArray,
) -> None:
    """Do one gradient step on the cross entropy between the chances and `target`.

    Write the chances before the step to `chances`. Threads may share the weights: an occasional
    lost update does no harm.
    """
    forward(weights, phase, idx, val, count, hidden, chances)
    step = np.float32(rate)
    second = weights.second[phase]
    for output in range(OUTPUTS):
        weights.bias2[phase, output] += step * (target[output] - chances[output])
    # Errors and rows have names of their own, so that the loop over the units holds no other loop.
    e0, e1 = step * (target[0] - chances[0]), step * (target[1] - chances[1])
    e2, e3 = step * (target[2] - chances[2]), step * (target[3] - chances[3])
    e4 = step * (target[4] - chances[4])
    r0, r1, r2, r3, r4 = second[0], second[1], second[2], second[3], second[4]
    bias = weights.bias[phase]
    for unit in range(len(hidden)):
        activation = hidden[unit]
        slope = np.float32(1.0) - abs(activation)
        back = e0 * r0[unit] + e1 * r1[unit] + e2 * r2[unit] + e3 * r3[unit] + e4 * r4[unit]
        r0[unit] += e0 * activation
        r1[unit] += e1 * activation
        r2[unit] += e2 * activation
        r3[unit] += e3 * activation
        r4[unit] += e4 * activation
        back *= slope * slope
        hidden[unit] = back
        bias[unit] += back
    for at in range(count):
        row, value = weights.first[phase, idx[at]], val[at]
        for unit in range(len(hidden)):
            row[unit] += value * hidden[unit]
