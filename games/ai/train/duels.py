"""Pairs of games between two nets, compiled: the same dice in both games, sides swapped."""

import numpy as np

from games.ai.kernel import choice, game, net
from games.ai.kernel.bits import IntArray
from games.ai.kernel.jit import njit

_MAX_TURNS = 1000  # of a game; a longer one is cut off and counts 0 points


@njit
def duel(
    variant: int,
    pairs: int,
    seed: int,
    kinds: int,
    mine: net.Weights,
    theirs: net.Weights,
    my_buffers: choice.TurnBuffers,
    their_buffers: choice.TurnBuffers,
    points: IntArray,
) -> None:
    """Write the points of `mine` in each pair to `points`; `kinds` is that of `game.finished`."""
    dice = np.empty((_MAX_TURNS, 2), np.int64)
    board = np.empty(26, np.int8)
    for pair in range(pairs):
        np.random.seed(seed + pair)
        for turn in range(_MAX_TURNS):
            dice[turn, 0], dice[turn, 1] = np.random.randint(1, 7), np.random.randint(1, 7)
        while variant == game.SHORT and dice[0, 0] == dice[0, 1]:
            dice[0, 0] = np.random.randint(1, 7)
        points[pair] = 0
        for first in range(2):
            game.start(variant, board)
            for turn in range(_MAX_TURNS):
                flags = game.FIRST_TURN if turn < 2 else 0
                is_mine = turn % 2 == first
                weights, buffers = (mine, my_buffers) if is_mine else (theirs, their_buffers)
                row, won, _count = choice.best_turn(
                    variant, board, dice[turn, 0], dice[turn, 1], flags, kinds, weights, buffers
                )
                if won:
                    points[pair] += won if is_mine else -won
                    break
                game.flip(variant, buffers.afters[row], board)


def points_per_game(
    variant: int, mine: net.Weights, theirs: net.Weights, pairs: int, seed: int, kinds: int
) -> tuple[float, float]:
    """Return (the points of `mine` per game, half the width of the 95 % confidence interval)."""
    points = np.empty(pairs, np.int64)
    buffers = choice.make_turn_buffers(mine), choice.make_turn_buffers(theirs)
    duel(variant, pairs, seed, kinds, mine, theirs, *buffers, points)
    means = points / 2.0
    return float(means.mean()), float(1.96 * means.std(ddof=1) / np.sqrt(pairs))
