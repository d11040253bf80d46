"""Two nets against each other, compiled: the same dice twice, sides swapped."""

import numpy as np

from games.ai.kernel import choice, game, net
from games.ai.kernel.bits import IntArray
from games.ai.kernel.jit import njit

_MAX_TURNS = 1000


@njit
def duel(
    variant: int,
    pairs: int,
    seed: int,
    kinds: int,
    mine: net.Weights,
    theirs: net.Weights,
    my_room: choice.Room,
    their_room: choice.Room,
    points: IntArray,
) -> None:
    """Write the first net's points of each pair of games to `points`."""
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
                weights, room = (mine, my_room) if is_mine else (theirs, their_room)
                row, won, _count = choice.best_turn(
                    variant, board, dice[turn, 0], dice[turn, 1], flags, kinds, weights, room
                )
                if won:
                    points[pair] += won if is_mine else -won
                    break
                game.flip(variant, room.afters[row], board)


def points_per_game(
    variant: int, mine: net.Weights, theirs: net.Weights, pairs: int, seed: int, kinds: int
) -> tuple[float, float]:
    """Return (the first net's points a game, half the 95 % interval)."""
    points = np.empty(pairs, np.int64)
    rooms = choice.make_room(mine), choice.make_room(theirs)
    duel(variant, pairs, seed, kinds, mine, theirs, *rooms, points)
    games = points / 2.0
    return float(games.mean()), float(1.96 * games.std(ddof=1) / np.sqrt(pairs))
