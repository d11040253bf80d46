"""Games of a net against itself, and what it learns from them; compiled.

After each game every position on its way is taught a mix of how the game ended and of what the
net thought one turn later, the former with weight `trace` a turn (a lambda-return). Later every
position is taught the exact mean over the 21 rolls of the best turn's chances.
"""

from typing import NamedTuple

import numpy as np

from games.ai.kernel import choice, game, net
from games.ai.kernel.arrays import copy
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.jit import njit, thin

MAX_TURNS = 1000  # of a game; a longer one is cut off and taught nothing


class Record(NamedTuple):
    """What a game leaves to learn from, one row a turn."""

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
    room: choice.Room,
    record: Record,
) -> int:
    """Plays and learns; how many turns there were."""
    np.random.seed(seed)
    turns = 0
    board = np.empty(26, np.int8)
    for _ in range(games):
        played, points = _play(variant, flags, kinds, rate, exact, board, weights, room, record)
        turns += played
        if points and not exact:
            _teach_backwards(played, points, trace, rate, weights, room, record)
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
    room: choice.Room,
    record: Record,
) -> tuple[int, int]:
    """One game; (turns, points of the one who made the last of them)."""
    game.start(variant, board)
    count = choice.evaluate(variant, board, weights, room)
    choice.keep(count, room)
    for turn in range(MAX_TURNS):
        copy(room.best_idx, record.idx[turn], count)
        copy(room.best_val, record.val[turn], count)
        record.counts[turn] = count
        record.phases[turn] = game.phase(variant, board)
        now = flags | game.FIRST_TURN if turn < 2 else flags
        if exact:
            _teach_mean(variant, now, kinds, rate, turn, board, weights, room, record)
        d1, d2 = np.random.randint(1, 7), np.random.randint(1, 7)
        while turn == 0 and variant == game.SHORT and d1 == d2:
            d1, d2 = np.random.randint(1, 7), np.random.randint(1, 7)
        row, points, count = choice.best_turn(variant, board, d1, d2, now, kinds, weights, room)
        if points:
            return turn + 1, points
        game.flip(variant, room.afters[row], board)
    return MAX_TURNS, 0


@thin
def _teach_backwards(
    turns: int,
    points: int,
    trace: float,
    rate: float,
    weights: net.Weights,
    room: choice.Room,
    record: Record,
) -> None:
    target = record.target
    choice.won_chances(points, target)
    keep = np.float32(trace)
    for turn in range(turns - 1, -1, -1):
        net.learn(
            weights, record.phases[turn], record.idx[turn], record.val[turn], record.counts[turn],
            target, rate, room.hidden, room.chances,
        )  # fmt: skip
        # What the net says by now, having learned the later turns. With what it thought during the
        # game, the likeness of a game's positions drives them all too far: long nardy learned
        # much slower (after 20,000 games -0.02, not +0.29, points against the hand-made opponent).
        for output in range(net.OUTPUTS):
            thought = room.chances[output]
            target[output] = thought + keep * (target[output] - thought)
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
    room: choice.Room,
    record: Record,
) -> None:
    mean_of_rolls(variant, flags, kinds, board, weights, room, record.target)
    net.learn(
        weights, record.phases[turn], record.idx[turn], record.val[turn], record.counts[turn],
        record.target, rate, room.hidden, room.chances,
    )  # fmt: skip


@njit
def mean_of_rolls(
    variant: int,
    flags: int,
    kinds: int,
    board: IntArray,
    weights: net.Weights,
    room: choice.Room,
    mean: FloatArray,
) -> None:
    """The chances of the player on roll, each roll played best: one turn of looking ahead."""
    for output in range(net.OUTPUTS):
        mean[output] = 0.0
    for d1 in range(1, 7):
        for d2 in range(1, d1 + 1):
            share = np.float32((1.0 if d1 == d2 else 2.0) / 36.0)
            choice.best_turn(variant, board, d1, d2, flags, kinds, weights, room)
            net.flip_chances(room.best_chances, room.best_chances)
            for output in range(net.OUTPUTS):
                mean[output] += share * room.best_chances[output]
