"""Fits the weights of the heuristic opponents by self-play, from the hand-set ones up.

    python -m tests.bench.fit_heuristic short 600 > games/ai/weights_short.py

plays for so many seconds (TD(lambda) on the outcome of each game, races judged by formula) and
prints the weights module. The seed is fixed; how far it gets depends on the machine.
"""

import argparse
import random
import sys
import time
from importlib import import_module
from types import ModuleType

from games.ai.estimate import Estimate, logistic, weighed
from games.engine.legal import legal_results
from games.engine.position import Counts, Position
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from games.engine.variants import OFF

TRACE = 0.6
Weights = list[float]
Seen = tuple[list[float], Side, bool, bool]


class Learner:
    """Three weighed sums over one list of features, each fitted with its own rates."""

    def __init__(self, variant: Variant) -> None:
        self.rules = Rules.of(variant)
        self.player: ModuleType = import_module(f"games.ai.heuristic_{variant}")
        self.features = import_module(f"games.ai.features_{variant}")
        start = import_module(f"games.ai.weights_{variant}")
        self.names: tuple[str, ...] = self.features.NAMES
        self.weights = [list(getattr(start, name)) for name in ("WIN", "WIN_MARS", "LOSE_MARS")]
        self.squares = [[1.0] * len(self.names) for _ in range(3)]
        self.random = random.Random(20261121)
        self.rate = 0.1
        self.loss = 0.0

    def judge(self, mine: Counts, theirs: Counts) -> tuple[Estimate, list[float] | None]:
        if mine[OFF] == 15 or self.player.is_race(mine, theirs):
            return self.player.estimate(mine, theirs), None
        numbers = self.features.features(mine, theirs)
        win, mars, against = [logistic(weighed(row, numbers)) for row in self.weights]
        mars = 0.0 if theirs[OFF] else win * mars
        return Estimate(win, mars, 0.0 if mine[OFF] else (1 - win) * against), numbers

    def game(self) -> None:
        position, side = Position.start(self.rules.variant), Side.WHITE
        seen: list[Seen] = []
        turns = 0
        while True:
            dice = (self.random.randint(1, 6), self.random.randint(1, 6))
            if turns == 0 and dice[0] == dice[1] and self.rules.variant is Variant.SHORT:
                continue
            results = legal_results(position, side, dice, self.rules, turns < 2)
            best = None
            for after in results:
                estimate, numbers = self.judge(after.of(side), after.of(side.other))
                if best is None or estimate.equity() > best[0].equity():
                    best = estimate, numbers, after
            estimate, numbers, position = best
            if numbers is None:
                break
            seen.append(
                (numbers, side, not position.of(side.other)[OFF], not position.of(side)[OFF])
            )
            side, turns = side.other, turns + 1
        self.learn(seen, estimate, side)

    def learn(self, seen: list[Seen], target: Estimate, side: Side) -> None:
        """Backwards through the game; the target is always told from the last mover's side."""
        for numbers, mover, may_win_mars, may_lose_mars in reversed(seen):
            if mover is not side:
                target, side = target.seen_by_other(), mover
            win, mars, against = [logistic(weighed(row, numbers)) for row in self.weights]
            self.loss += (target.win - win) ** 2
            self.step(0, numbers, target.win - win, 1.0)
            if may_win_mars:
                self.step(1, numbers, target.mars / max(target.win, 1e-6) - mars, target.win)
            if may_lose_mars:
                lost = 1 - target.win
                self.step(2, numbers, target.mars_against / max(lost, 1e-6) - against, lost)
            target = Estimate(
                TRACE * target.win + (1 - TRACE) * win,
                TRACE * target.mars + (1 - TRACE) * win * mars * may_win_mars,
                TRACE * target.mars_against + (1 - TRACE) * (1 - win) * against * may_lose_mars,
            )

    def step(self, row: int, numbers: list[float], error: float, weight: float) -> None:
        weights, squares = self.weights[row], self.squares[row]
        for index, number in enumerate(numbers):
            if number:
                gradient = max(-1.0, min(1.0, error)) * weight * number
                squares[index] += gradient * gradient
                weights[index] += self.rate * gradient / squares[index] ** 0.5

    def module(self, games: int) -> str:
        lines = [
            f'"""Fitted by {games} games of self-play: `python -m tests.bench.fit_heuristic`.',
            "",
            "One weight for each feature, in the order of the features module; log odds of",
            'winning, of a mars among the wins, of a mars among the losses."""',
        ]
        for name, row in zip(("WIN", "WIN_MARS", "LOSE_MARS"), self.weights, strict=True):
            lines += ["", f"{name} = ("]
            lines += [
                f"    {value:.4f},  # {feature}"
                for feature, value in zip(self.names, row, strict=True)
            ]
            lines += [")"]
        return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=[v.value for v in Variant])
    parser.add_argument("seconds", type=float)
    options = parser.parse_args()
    learner = Learner(Variant(options.variant))
    start = time.monotonic()
    games = 0
    while (gone := time.monotonic() - start) < options.seconds:
        learner.rate = 0.1 * max(0.05, 1 - gone / options.seconds)
        learner.game()
        games += 1
        if games % 500 == 0:
            print(f"{games} games, {gone:.0f} s, loss {learner.loss:.0f}", file=sys.stderr)
            learner.loss = 0.0
    print(learner.module(games), end="")


if __name__ == "__main__":
    main()
