"""A round robin of the heuristic opponents: wins, points and thinking time.

    python -m tests.bench.ai_heuristic [--games 200] [--variant short|long]

Every pair plays each dice sequence twice with the sides changed (cube off, mars counted). The
dice come from seeds, so a run can be repeated. `random` picks any legal play.
"""

import argparse
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean, stdev

from games.ai.levels import LEVELS, choose
from games.engine.legal import legal_plays
from games.engine.outcome import KIND_POINTS, win_kind
from games.engine.position import Position
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from games.engine.variants import CHECKERS, OFF

Dice = tuple[int, int]
Player = Callable[[Position, Side, Dice, Rules, bool], Position]


@dataclass
class Score:
    """Points of one player against another, game by game."""

    points: list[int] = field(default_factory=list)

    def __str__(self) -> str:
        wins = fmean(points > 0 for points in self.points)
        error = stdev(self.points) / len(self.points) ** 0.5
        return f"{wins:6.1%} of games, {fmean(self.points):+.3f} +- {error:.3f} points per game"


def random_player(seed: int) -> Player:
    """Any legal play, from a generator of its own."""
    chance = random.Random(seed)

    def play(position: Position, side: Side, dice: Dice, rules: Rules, first: bool) -> Position:
        return chance.choice(list(legal_plays(position, side, dice, rules, first)))

    return play


def level_player(name: str) -> Player:
    """A level; what it chose has to be one of the legal plays."""

    def play(position: Position, side: Side, dice: Dice, rules: Rules, first: bool) -> Position:
        chosen = choose(position, side, dice, rules, LEVELS[name], first)
        plays = legal_plays(position, side, dice, rules, first)
        return next(result for result, play in plays.items() if play == chosen)

    return play


def one_game(rules: Rules, players: dict[Side, Player], seed: int) -> tuple[Side, int]:
    """Plays a game; (winner, points)."""
    chance = random.Random(seed)
    side = chance.choice(list(Side))
    position, turns = Position.start(rules.variant), 0
    while True:
        dice = (chance.randint(1, 6), chance.randint(1, 6))
        if turns == 0 and dice[0] == dice[1] and rules.variant is Variant.SHORT:
            continue
        position = players[side](position, side, dice, rules, turns < 2)
        if position.of(side)[OFF] == CHECKERS:
            return side, KIND_POINTS[win_kind(position, side, rules)]
        side, turns = side.other, turns + 1


def duel(rules: Rules, first: Player, second: Player, games: int, seed: int = 1) -> Score:
    """The first player's score in `games` games, an even number."""
    score = Score()
    for number in range(games // 2):
        for sides in (Side.WHITE, Side.BLACK):
            players = {sides: first, sides.other: second}
            winner, points = one_game(rules, players, seed + number)
            score.points.append(points if winner is sides else -points)
    return score


def slowest_ms(rules: Rules, games: int = 5) -> tuple[float, float]:
    """Longest and mean CPU time of a strong choice in random play, every doublet tried."""
    chance, times = random.Random(7), []
    for _ in range(games):
        position, side, turns = Position.start(rules.variant), Side.WHITE, 0
        while position.of(side.other)[OFF] < CHECKERS:
            for die in range(1, 7):
                begun = time.process_time()
                choose(position, side, (die, die), rules, LEVELS["strong"], turns < 2)
                times.append(1000 * (time.process_time() - begun))
            dice = (chance.randint(1, 6), chance.randint(1, 6))
            position = chance.choice(list(legal_plays(position, side, dice, rules, turns < 2)))
            side, turns = side.other, turns + 1
    return max(times), fmean(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--variant", choices=[v.value for v in Variant], action="append")
    options = parser.parse_args()
    for variant in options.variant or list(Variant):
        rules = Rules.of(variant)
        players = {"random": random_player(3), **{name: level_player(name) for name in LEVELS}}
        for weaker, stronger in combinations(players, 2):
            score = duel(rules, players[stronger], players[weaker], options.games)
            print(f"{variant}: {stronger} against {weaker}: {score}", flush=True)
        worst, mean = slowest_ms(rules)
        print(f"{variant}: a doublet takes {mean:.1f} ms of CPU, {worst:.1f} at most")


if __name__ == "__main__":
    main()
