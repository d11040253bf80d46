"""Measure the engine: turns generated, whole matches played, and the ratio to brute force.

    python -m tests.bench.engine [--seconds 4] [--seed 1]

Turns come from random play (every turn of random games from the starting position, doublets and
bear-offs included). The ratio to the brute force of tests/games/oracle is measured in the same run
on the same questions: both take a dict, return hex strings, and must agree. Matches are three
points long with random dice and plays; every action is applied and logged. Figures are per CPU
second, so that other work on the machine counts less.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from games.engine.board.legal import Dice, legal_plays, legal_results, turn_graph
from games.engine.board.position import Position
from games.engine.board.variants import CHECKERS, OFF
from games.engine.cli.legal import answer
from games.engine.match.actions import Opening, Roll, Start
from games.engine.match.state import Phase
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from tests.games.engine.match_stories import Story

try:
    from tests.games.oracle.brute import results as brute_results
except ImportError:  # the oracle is optional: the bench must run without it
    brute_results = None  # type: ignore[assignment]

Turn = tuple[Position, Side, Dice, Rules, bool]


def random_turns(variant: Variant, count: int, rng: random.Random) -> list[Turn]:
    """Return the first `count` turns of one random game after another."""
    rules = Rules.of(variant)
    turns: list[Turn] = []
    while True:
        position, side, made = Position.start(variant), rng.choice(list(Side)), 0
        while CHECKERS not in (position.white[OFF], position.black[OFF]):
            dice = rng.randint(1, 6), rng.randint(1, 6)
            turns.append((position, side, dice, rules, made < 2))
            if len(turns) == count:
                return turns
            results = legal_results(*turns[-1])
            position = rng.choice(sorted(results, key=Position.to_text))
            side, made = side.other, made + 1


def as_query(turn: Turn) -> dict[str, Any]:
    position, side, dice, rules, first_turn = turn
    data: dict[str, Any] = {
        "white": list(position.white[1:25]),
        "black": list(position.black[1:25]),
        "off": {"white": position.white[0], "black": position.black[0]},
    }
    if rules.variant is Variant.SHORT:
        data["bar"] = {"white": position.white[25], "black": position.black[25]}
    return {
        "variant": rules.variant.value,
        "position": data,
        "turn": side.value,
        "dice": list(dice),
        "first_turn": first_turn,
    }


def per_second(run: Callable[[Any], Any], items: Sequence[Any], seconds: float) -> float:
    """Run all items, and again until the time is used up; return the number per CPU second."""
    done, start = 0, time.process_time()
    while (spent := time.process_time() - start) < seconds or done < len(items):
        run(items[done % len(items)])
        done += 1
    return done / spent


def random_match(variant: Variant, rng: random.Random) -> int:
    """Play a match of three points without cube to its end; return the number of actions."""
    story = Story(Rules.of(variant, length=3, cube=False))
    while story.state.phase is not Phase.FINISHED:
        if story.state.phase in (Phase.SEATING, Phase.BETWEEN_GAMES):
            story.do(Start, game=story.state.game + 1)
        elif story.state.phase is Phase.OPENING:
            story.do(Opening, white=rng.randint(1, 6), black=rng.randint(1, 6))
        elif story.state.phase is Phase.TO_ROLL:
            story.do(Roll, story.state.turn, d1=rng.randint(1, 6), d2=rng.randint(1, 6))
        else:
            story.any_play(rng.choice)
    return len(story.log)


def _spread(generate: Callable[..., Any], turn: Turn) -> Any:
    return generate(*turn)


def bench(variant: Variant, seconds: float, seed: int) -> None:
    turns = random_turns(variant, 1000, random.Random(f"{variant} {seed}"))
    print(f"\n{variant.value}: {len(turns)} turns of random play, seed {seed}")
    generators: dict[str, Callable[..., Any]] = {
        "results": legal_results,
        "plays": legal_plays,
        "graph": turn_graph,
    }
    for name, generate in generators.items():
        rate = per_second(partial(_spread, generate), turns, seconds)
        print(f"  legal turns, {name:8}{rate:10,.0f} a second")
    rng = random.Random(f"match {variant} {seed}")
    rate = per_second(lambda _number: random_match(variant, rng), range(3), seconds)
    print(f"  random 3-point matches  {rate:6,.2f} a second")
    if brute_results is None:
        print("  no brute force to compare with (tests.games.oracle)")
        return
    queries = [as_query(turn) for turn in turns]
    for query in queries[:100]:
        if answer(query)["results"] != list(brute_results(query)):
            raise SystemExit(f"the two generators differ on {query}")
    own = per_second(answer, queries, seconds)
    brute = per_second(brute_results, queries[:200], seconds)
    own_same = per_second(answer, queries[:200], seconds / 2)
    print(f"  questions as dicts      {own:8,.0f} a second")
    print(f"  brute force             {brute:8,.1f} a second")
    print(f"  ratio to brute force    {own_same / brute:8.1f} (on the same 200 questions)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, add_help=True)
    parser.add_argument("--seconds", type=float, default=4.0, help="per measurement")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for variant in Variant:
        bench(variant, options.seconds, options.seed)


if __name__ == "__main__":
    main()
