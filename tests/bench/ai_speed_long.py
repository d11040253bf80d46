"""Compare the speed of the kernel of long nardy with the engine's in the same run.

    python -m tests.bench.ai_speed_long [--seconds 4] [--seed 1]

Turns come from random games from the starting position, doublets and bear-offs included; the kernel
computes the results of all of them, the engine those of the first 2,000. Figures are per CPU
second, so that other work on the machine counts less. `encode` computes the inputs of the nets,
`heuristic` the equity by the hand-made player of the ladder.
"""

import argparse
import random
import time
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

import numpy as np
from numba import njit

from games.ai.kernel.long import turns as kernel
from games.engine.board.legal import legal_results
from games.engine.board.position import Position
from games.engine.rules import Rules
from games.engine.sides import Side
from tests.bench.ladder import compiled
from tests.games.ai.long_boards import played

RULES = Rules.of("long")
Turn = tuple[Position, tuple[int, int], bool]


@njit
def kernel_turns(boards: Any, dice: Any, flags: Any) -> int:
    out = np.empty((kernel.MAX_AFTERSTATES, 26), np.int8)
    found = 0
    for index in range(len(boards)):
        d1, d2 = dice[index]
        found += kernel.afterstates(boards[index], d1, d2, flags[index], out)
    return found


@njit
def encodings(boards: Any) -> int:
    idx = np.empty(kernel.MAX_ACTIVE, np.int64)
    val = np.empty(kernel.MAX_ACTIVE, np.float32)
    active = 0
    for index in range(len(boards)):
        active += kernel.encode(boards[index], idx, val)
    return active


@njit
def heuristics(boards: Any) -> float:
    total = 0.0
    for index in range(len(boards)):
        total += compiled.equity(boards[index])
    return total


def engine_turns(turns: Sequence[Turn]) -> None:
    for position, dice, first in turns:
        legal_results(position, Side.WHITE, dice, RULES, first)


def rate(seconds: float, count: int, act: Callable[..., Any], *arguments: Any) -> float:
    """Return the number of items done in a CPU second; each call of `act` does `count` items."""
    act(*arguments)
    began, done = time.process_time(), 0
    while time.process_time() - began < seconds:
        act(*arguments)
        done += count
    return done / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns", type=int, default=20_000)
    options = parser.parse_args()
    samples = list(islice(played(random.Random(options.seed)), options.turns))
    boards = np.array([board for board, _dice, _first in samples])
    dice = np.array([dice for _board, dice, _first in samples])
    flags = np.array([kernel.turn_flags(RULES, first) for _board, _dice, first in samples])
    some = samples[:2_000]
    turns = [(Position(*kernel.counts_of(board)), dice, first) for board, dice, first in some]
    by_engine = rate(options.seconds, len(turns), engine_turns, turns)
    by_kernel = rate(options.seconds, len(samples), kernel_turns, boards, dice, flags)
    each = kernel_turns(boards, dice, flags) / len(samples)
    print(f"engine    {by_engine:12,.0f} turns/s")
    print(f"kernel    {by_kernel:12,.0f} turns/s, {by_kernel / by_engine:.0f} times the engine")
    print(f"          {by_kernel * each:12,.0f} results/s, {each:.1f} a turn")
    print(f"encode    {rate(options.seconds, len(samples), encodings, boards):12,.0f} positions/s")
    print(f"heuristic {rate(options.seconds, len(samples), heuristics, boards):12,.0f} positions/s")


if __name__ == "__main__":
    main()
