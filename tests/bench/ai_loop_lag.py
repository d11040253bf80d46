"""Compare the event loop's lag with and without ten bots that decide, in one run.

    DEMO=1 SECRET_KEY=any python -m tests.bench.ai_loop_lag [--bots 10] [--seconds 5] [--rounds 3]

The bots are masters and ask again as soon as they have an answer; they share one child process, as
in the worker. Lag is how much longer than 5 ms a sleep of 5 ms takes. Rounds with and without bots
alternate, so that other work on the machine affects both.
"""

import argparse
import asyncio
import itertools
import os
import time
from typing import Any

import django

PAUSE_S = 0.005


async def lags(seconds: float) -> list[float]:
    """Return the lags in milliseconds, one for each sleep."""
    found, end = [], time.monotonic() + seconds
    while time.monotonic() < end:
        begun = time.monotonic()
        await asyncio.sleep(PAUSE_S)
        found.append(1000 * (time.monotonic() - begun - PAUSE_S))
    return found


async def bot(
    ai_process: Any,
    questions: list[dict[str, Any]],
    number: int,
    over: asyncio.Event,
    done: list[int],
) -> None:
    for question in itertools.islice(itertools.cycle(questions), number, None):
        if over.is_set():
            return
        await ai_process.ask({**question, "salt": str(number)})
        done.append(number)


async def lags_with(ai_process: Any, bots: int, seconds: float, done: list[int]) -> list[float]:
    questions, over = make_questions(), asyncio.Event()
    tasks = [asyncio.create_task(bot(ai_process, questions, n, over, done)) for n in range(bots)]
    found = await lags(seconds)
    over.set()
    await asyncio.gather(*tasks)
    return found


def make_questions() -> list[dict[str, Any]]:
    """Return questions with every roll in a position from the middle of a game of each variant."""
    from dataclasses import replace

    from games.ai.net.rolls import ROLLS
    from games.engine.board.position import Position
    from games.engine.match.snapshot import dumps
    from games.engine.match.state import Phase, new_match
    from games.engine.rules import Rules, Variant
    from games.engine.sides import Pair, Side

    positions = {
        Variant.SHORT: "W:24x2,13x4,10x1,8x3,6x5 B:24x2,13x4,11x1,8x3,6x5",
        Variant.LONG: "W:24x9,20x1,18x1,15x2,11x1,9x1 B:24x10,19x1,16x2,10x2",
    }
    found = []
    for variant, text in positions.items():
        start = replace(
            new_match(Rules.of(variant, length=3)),
            position=Position.from_text(text, variant),
            phase=Phase.TO_PLAY,
            game=1,
            turn=Side.WHITE,
            first=Side.WHITE,
            turns=Pair(5, 5),
        )
        for dice in ROLLS:
            state = dumps(replace(start, dice=dice))
            found.append({"state": state, "side": "white", "level": "master"})
    return found


async def run(bots: int, seconds: float, rounds: int) -> None:
    from games.bots.process import AiProcess

    ai_process, done = AiProcess(), []
    await ai_process.ask(make_questions()[0])
    alone: list[float] = []
    beside: list[float] = []
    for _ in range(rounds):
        alone += await lags(seconds)
        beside += await lags_with(ai_process, bots, seconds, done)
    await ai_process.stop()
    for name, found in (("none", sorted(alone)), (f"{bots} bots", sorted(beside))):
        middle, late = found[len(found) // 2], found[len(found) * 99 // 100]
        print(f"{name:<8} lag {middle:.2f} ms median, {late:.2f} at 99 %, {found[-1]:.1f} at most")
    print(f"{len(done) / (rounds * seconds):.0f} decisions a second meanwhile")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    asyncio.run(run(options.bots, options.seconds, options.rounds))


if __name__ == "__main__":
    main()
