"""Check with the engine that every turn that the levels play is legal.

    python -m tests.bench.ai_legal [--turns 100000] [--seed 1] [--variant short|long]

Play whole games under random rules, each turn with a random level: every hundredth turn with
`expert` or `master`, the others with one of the four levels without lookahead. Count the turns,
those with a choice, and those whose result the engine does not list as legal.
"""

import argparse
import random
from dataclasses import dataclass

from games.ai.bots import levels
from games.ai.bots.levels import LEVELS
from games.ai.net.boards import board_at, position_of
from games.ai.net.player import player_of
from games.engine.board.legal import legal_results
from games.engine.board.position import Position
from games.engine.board.variants import CHECKERS, OFF
from games.engine.rules import BlockRule, HitRule, Profile, Rules, Variant
from games.engine.sides import Side

QUICK = ("beginner", "casual", "club", "strong")
SLOW = ("expert", "master")


@dataclass(slots=True)
class Count:
    turns: int = 0
    choices: int = 0
    illegal: int = 0


def count(variant: Variant, turns: int, seed: int) -> Count:
    found, rng = Count(), random.Random(seed)
    while found.turns < turns:
        rules = random_rules(variant, rng)
        position, side = Position.start(variant), Side.WHITE
        for number in range(1000):
            dice = (rng.randint(1, 6), rng.randint(1, 6))
            name = rng.choice(SLOW if found.turns % 100 == 99 else QUICK)
            results = legal_results(position, side, dice, rules, number < 2)
            position = _played(position, side, dice, rules, number < 2, name)
            found.turns += 1
            found.choices += len(results) > 1
            if position not in results:
                found.illegal += 1
                break
            if position.of(side)[OFF] == CHECKERS or found.turns == turns:
                break
            side = side.other
    return found


def random_rules(variant: Variant, rng: random.Random) -> Rules:
    return Rules.of(
        variant,
        rng.choice(list(Profile)),
        block=rng.choice(list(BlockRule)),
        hit=rng.choice(list(HitRule)),
    )


def _played(
    position: Position,
    side: Side,
    dice: tuple[int, int],
    rules: Rules,
    first_turn: bool,
    level: str,
) -> Position:
    board = board_at(position, side, rules.variant)
    chosen = levels.choose(player_of(rules.variant), LEVELS[level], board, dice, rules, first_turn)
    return position_of(chosen.after, side, rules.variant)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", type=Variant, choices=list(Variant), action="append")
    options = parser.parse_args()
    for variant in options.variant or list(Variant):
        found = count(variant, options.turns, options.seed)
        print(
            f"{variant}: {found.turns:,} turns, {found.choices:,} with a choice, "
            f"{found.illegal} illegal",
            flush=True,
        )


if __name__ == "__main__":
    main()
