"""The ladder of long nardy: games between players, each against the next one named.

    python -m tests.bench.ai_ladder_long random heuristic [FILE ...] [--games 2000] [--seed 1]

A player is `random`, `heuristic` (the hand-made opponent, frozen) or a file of weights at 0-ply.
Every sequence of dice is played twice with the sides changed; cube off, mars counted. The interval
holds the mean of the pairs with 95 %.
"""

import argparse
import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev

import numpy as np

from games.ai import nets
from games.ai.kernel import choice, heuristic_long
from games.ai.kernel import long as kernel
from games.ai.kernel.bits import IntArray
from games.ai.kernel.game import LONG
from games.engine.rules import Rules, Variant

Dice = tuple[int, int]
# From a board, dice and the flags of the turn to the board after it, still seen by the mover.
Player = Callable[[IntArray, Dice, int], IntArray]
RULES = Rules.of("long")
KINDS = kernel.kinds_of(RULES)


def player_of(name: str, seed: int) -> Player:
    if name == "random":
        chance = random.Random(f"random player {seed}")
        return picking(lambda _boards, count: chance.randrange(count))
    if name == "heuristic":
        return picking(heuristic_long.best_of)
    return net_player(Path(name))


def picking(pick: Callable[[IntArray, int], int]) -> Player:
    """A player by what it picks of so many afterstates."""
    room = np.empty((kernel.MAX_AFTERSTATES, 26), np.int8)

    def play(board: IntArray, dice: Dice, flags: int) -> IntArray:
        count = kernel.afterstates(board, *dice, flags, room)
        return room[pick(room, count) if count > 1 else 0]

    return play


def net_player(path: Path) -> Player:
    _header, weights = nets.load(path, Variant.LONG)
    room = choice.make_room(weights)

    def play(board: IntArray, dice: Dice, flags: int) -> IntArray:
        row, _points, _count = choice.best_turn(LONG, board, *dice, flags, KINDS, weights, room)
        return room.afters[row]

    return play


def rolls(seed: str) -> Iterator[Dice]:
    dice = random.Random(seed)
    while True:
        yield dice.randint(1, 6), dice.randint(1, 6)


def game(players: tuple[Player, Player], dice: Iterator[Dice]) -> int:
    """Points of the first player, who begins."""
    board = np.empty(26, np.int8)
    kernel.start(board)
    turns = 0
    while True:
        flags = kernel.turn_flags(RULES, turns < 2)
        after = players[turns % 2](board, next(dice), flags)
        points = int(kernel.finished(after, KINDS))
        if points:
            return points if turns % 2 == 0 else -points
        kernel.flip(after, board)
        turns += 1


def duel(first: Player, second: Player, pairs: int, seed: int) -> list[float]:
    """Points per game of the first player, pair by pair."""
    found = []
    for number in range(pairs):
        begun = game((first, second), rolls(f"{seed} {number}"))
        answered = game((second, first), rolls(f"{seed} {number}"))
        found.append((begun - answered) / 2)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", nargs="+", metavar="PLAYER")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for lower, upper in pairwise(given.players):
        players = player_of(upper, given.seed), player_of(lower, given.seed)
        pairs = duel(*players, max(2, given.games // 2), given.seed)
        mean, half = fmean(pairs), 1.96 * stdev(pairs) / len(pairs) ** 0.5
        print(
            f"{upper} against {lower}: {mean:+.3f} points a game "
            f"(95 %: {mean - half:+.3f} to {mean + half:+.3f}), {2 * len(pairs)} games",
            flush=True,
        )


if __name__ == "__main__":
    main()
