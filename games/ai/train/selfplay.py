"""Self-play of a net and learning from it; compiled.

After each game the net is trained on every position. The target is a mix of the result and the
net's evaluation one turn later; the weight of the result is multiplied by `trace` for each turn (a
lambda-return). With `exact`, the net is trained at each turn instead: on the mean of its
evaluations after the best play of each roll, weighted by the probability of the roll.
"""

from typing import NamedTuple

import numpy as np

from games.ai.kernel import choice, game, net
from games.ai.kernel.arrays import copy
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.jit import njit, thin

# Turns of a game. A longer one is cut off; unless `exact` is set, nothing is learned from it.
MAX_TURNS = 1000


class Record(NamedTuple):
    """Training data of one game, one row for each turn; `target` is for the turn being learned."""

    idx: IntArray
    val: FloatArray
    counts: IntArray
    phases: IntArray
    target: FloatArray


def make_record() -> Record:
    return Record(
        np.empty((MAX_TURNS, game.MAX_ACTIVE), np.int16),
        np.empty((MAX_TURNS, game.MAX_ACTIVE), np.float32),
        np.empty(MAX_TURNS, np.int64),
        np.empty(MAX_TURNS, np.int64),
        np.empty(net.OUTPUTS, np.float32),
    )


@njit
def play_games(
    variant: int,
    games: int,
    seed: int,
    flags: int,
    kinds: int,
    trace: float,
    rate: float,
    exact: bool,
    weights: net.Weights,
    buffers: choice.TurnBuffers,
    record: Record,
) -> int:
    """Play games and learn from them; return the number of turns."""
    np.random.seed(seed)
    turns = 0
    board = np.empty(26, np.int8)
    for _ in range(games):
        played, points = _play(variant, flags, kinds, rate, exact, board, weights, buffers, record)
        turns += played
        if points and not exact:
            _teach_backwards(played, points, trace, rate, weights, buffers, record)
    return turns


@thin
def _play(
    variant: int,
    flags: int,
    kinds: int,
    rate: float,
    exact: bool,
    board: IntArray,
    weights: net.Weights,
    buffers: choice.TurnBuffers,
    record: Record,
) -> tuple[int, int]:
    """Play one game; return (turns, points of the side that made the last one, 0 if cut off)."""
    game.start(variant, board)
    count = choice.evaluate(variant, board, weights, buffers)
    choice.keep(count, buffers)
    for turn in range(MAX_TURNS):
        copy(buffers.best_idx, record.idx[turn], count)
        copy(buffers.best_val, record.val[turn], count)
        record.counts[turn] = count
        record.phases[turn] = game.phase(variant, board)
        turn_flags = flags | game.FIRST_TURN if turn < 2 else flags
        if exact:
            _teach_mean(variant, turn_flags, kinds, rate, turn, board, weights, buffers, record)
        d1, d2 = np.random.randint(1, 7), np.random.randint(1, 7)
        while turn == 0 and variant == game.SHORT and d1 == d2:
            d1, d2 = np.random.randint(1, 7), np.random.randint(1, 7)
        row, points, count = choice.best_turn(
            variant, board, d1, d2, turn_flags, kinds, weights, buffers
        )
        if points:
            return turn + 1, points
        game.flip(variant, buffers.afters[row], board)
    return MAX_TURNS, 0


@thin
def _teach_backwards(
    turns: int,
    points: int,
    trace: float,
    rate: float,
    weights: net.Weights,
    buffers: choice.TurnBuffers,
    record: Record,
) -> None:
    target = record.target
    choice.won_chances(points, target)
    share_of_result = np.float32(trace)
    for turn in range(turns - 1, -1, -1):
        net.learn(
            weights, record.phases[turn], record.idx[turn], record.val[turn], record.counts[turn],
            target, rate, buffers.hidden, buffers.chances,
        )  # fmt: skip
        # The position is evaluated now, after learning the later turns, not during the game. The
        # positions of one game are alike, and evaluations made during the game would drive all of
        # them too far. With such evaluations the net of long nardy won -0.02 points a game against
        # the hand-made player after 20,000 games, instead of +0.29.
        for output in range(net.OUTPUTS):
            evaluated = buffers.chances[output]
            target[output] = evaluated + share_of_result * (target[output] - evaluated)
        net.flip_chances(target, target)


@thin
def _teach_mean(
    variant: int,
    flags: int,
    kinds: int,
    rate: float,
    turn: int,
    board: IntArray,
    weights: net.Weights,
    buffers: choice.TurnBuffers,
    record: Record,
) -> None:
    mean_of_rolls(variant, flags, kinds, board, weights, buffers, record.target)
    net.learn(
        weights, record.phases[turn], record.idx[turn], record.val[turn], record.counts[turn],
        record.target, rate, buffers.hidden, buffers.chances,
    )  # fmt: skip


@njit
def mean_of_rolls(
    variant: int,
    flags: int,
    kinds: int,
    board: IntArray,
    weights: net.Weights,
    buffers: choice.TurnBuffers,
    mean: FloatArray,
) -> None:
    """Write the 1-ply chances of the player on roll, each roll played best."""
    for output in range(net.OUTPUTS):
        mean[output] = 0.0
    for d1 in range(1, 7):
        for d2 in range(1, d1 + 1):
            share = np.float32((1.0 if d1 == d2 else 2.0) / 36.0)
            choice.best_turn(variant, board, d1, d2, flags, kinds, weights, buffers)
            net.flip_chances(buffers.best_chances, buffers.best_chances)
            for output in range(net.OUTPUTS):
                mean[output] += share * buffers.best_chances[output]
