"""Measure the compiled opponents on one core: turns, inputs, evaluations, whole decisions.

    python -m tests.bench.ai_speed [--variant short] [--net FILE] [--turns 100000]
        [--decisions 200] [--seed 1] [--cold]

Turns come from random games from the starting position, doublets and bear-offs included; decisions
from games of the net with itself. Figures are CPU seconds, so that other work on the machine counts
less. Only the cold start is wall time: from the start of a process to its first answer, with
compiled code in the cache and (`--cold`) without.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np

from games.ai.kernel import choice, game, net
from games.ai.kernel.arrays import copy_board
from games.ai.net import weights_files
from games.ai.net.search import MAX_PLIES, Searcher, Stakes
from games.engine.rules import Rules, Variant


@numba.njit(nogil=True, fastmath=True, error_model="numpy")
def random_turns(variant: int, kinds: int, seed: int, boards: Any, dice: Any, out: Any) -> None:
    np.random.seed(seed)
    board = np.empty(26, np.int8)
    made = 0
    while made < len(boards):
        game.start(variant, board)
        for turn in range(10_000):
            if made == len(boards):
                break
            copy_board(board, boards[made])
            d1, d2 = np.random.randint(1, 7), np.random.randint(1, 7)
            dice[made, 0], dice[made, 1] = d1, d2
            made += 1
            flags = game.FIRST_TURN if turn < 2 else 0
            found = game.afterstates(variant, board, d1, d2, flags, out)
            row = out[np.random.randint(0, found)]
            if game.finished(variant, row, kinds):
                break
            game.flip(variant, row, board)


@numba.njit(nogil=True, fastmath=True, error_model="numpy")
def generate(variant: int, boards: Any, dice: Any, out: Any) -> int:
    found = 0
    for at in range(len(boards)):
        found += game.afterstates(variant, boards[at], dice[at, 0], dice[at, 1], 0, out)
    return found


@numba.njit(nogil=True, fastmath=True, error_model="numpy")
def encode(variant: int, boards: Any, buffers: choice.TurnBuffers) -> int:
    active = 0
    for at in range(len(boards)):
        active += game.encode(variant, boards[at], buffers.idx, buffers.val)
    return active


@numba.njit(nogil=True, fastmath=True, error_model="numpy")
def evaluate(variant: int, boards: Any, weights: net.Weights, buffers: choice.TurnBuffers) -> float:
    total = 0.0
    for at in range(len(boards)):
        choice.evaluate(variant, boards[at], weights, buffers)
        total += net.equity(buffers.chances)
    return total


def per_second(run: Callable[..., Any], count: int, *arguments: Any) -> float:
    """Return the items per CPU second of the best of three runs; an earlier run compiles."""
    run(*arguments)
    spent = []
    for _ in range(3):
        begun = time.process_time()
        run(*arguments)
        spent.append(time.process_time() - begun)
    return count / min(spent)


def own_turns(searcher: Searcher, variant: int, rules: Rules, count: int, seed: int) -> list[Any]:
    """Return (board, dice, flags) of every fifth turn of games that the net plays at 0-ply."""
    module = game.MODULES[variant]
    kinds, stakes = module.kinds_of(rules), Stakes.of(rules)
    rng, board, found = np.random.default_rng(seed), np.empty(26, np.int8), []
    while len(found) < 5 * count:
        game.start(variant, board)
        for turn in range(10_000):
            dice = tuple(rng.integers(1, 7, 2).tolist())
            flags = module.turn_flags(rules, turn < 2)
            found.append((board.copy(), dice, flags))
            after = searcher.choose(board, dice, flags, kinds, 0, stakes)
            if game.finished(variant, after, kinds):
                break
            game.flip(variant, after, board)
    return found[: 5 * count : 5]


def decision_times(
    searcher: Searcher, turns: list[Any], plies: int, variant: int, rules: Rules
) -> list[float]:
    """Return the sorted CPU milliseconds of the decisions, called from Python as bots call them."""
    kinds, stakes = game.MODULES[variant].kinds_of(rules), Stakes.of(rules)
    times = []
    for board, dice, flags in turns:
        begun = time.thread_time()
        searcher.choose(board, dice, flags, kinds, plies, stakes)
        times.append(1000 * (time.thread_time() - begun))
    return sorted(times)


def cold_start(variant: Variant, net_file: Path, cache: str | None) -> float:
    """Return the seconds from the start of an agent to its first answer.

    `cache` is the folder of compiled code; None = that of the environment.
    """
    side = [0] * 24
    side[23] = 15
    if variant is Variant.SHORT:
        side[23], side[12], side[7], side[5] = 2, 5, 3, 5
    position = {"white": side, "black": side}
    item = {"variant": variant.value, "position": position, "turn": "white", "dice": [3, 1]}
    env = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
    command = [sys.executable, "-m", "games.ai", "agent", "--variant", variant.value]
    begun = time.monotonic()
    done = subprocess.run(
        [*command, "--net", str(net_file)],
        input=json.dumps({"items": [item]}) + "\n",
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    assert "after" in json.loads(done.stdout)
    return time.monotonic() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--variant", type=Variant, choices=list(Variant), default=Variant.SHORT)
    parser.add_argument("--net", type=Path)
    parser.add_argument("--turns", type=int, default=100_000)
    parser.add_argument("--decisions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cold", action="store_true", help="also without compiled code (a minute)")
    options = parser.parse_args()
    path = options.net or weights_files.FOLDER / f"{options.variant.value}.net"
    header, weights = weights_files.load(path, options.variant)
    variant = weights_files.VARIANTS[options.variant]
    kinds = game.MODULES[variant].kinds_of(Rules.of(options.variant))
    buffers = choice.make_turn_buffers(weights)
    boards, dice = np.empty((options.turns, 26), np.int8), np.empty((options.turns, 2), np.int64)
    random_turns(variant, kinds, options.seed, boards, dice, buffers.afters)
    print(
        f"{options.variant}, {header.hidden} hidden units, {options.turns:,} turns of random games"
    )
    results = generate(variant, boards, dice, buffers.afters) / options.turns
    speed = per_second(generate, options.turns, variant, boards, dice, buffers.afters)
    print(f"turns generated a second   {speed:12,.0f}   ({results:.1f} results each)")
    speed = per_second(encode, options.turns, variant, boards, buffers)
    print(f"positions encoded a second {speed:12,.0f}")
    speed = per_second(evaluate, options.turns, variant, boards, weights, buffers)
    print(f"evaluations a second       {speed:12,.0f}   (inputs included)")
    searcher, rules = Searcher(variant, weights), Rules.of(options.variant)
    turns = own_turns(searcher, variant, rules, options.decisions, options.seed)
    for plies in range(MAX_PLIES + 1):
        times = decision_times(searcher, turns, plies, variant, rules)
        median, late = times[len(times) // 2], times[len(times) * 95 // 100]
        print(f"{plies}-ply decision           {median:11.3f} ms median, {late:.3f} ms at 95 %")
    cold_start(options.variant, path, None)
    kept = cold_start(options.variant, path, None)
    print(f"first answer of a process  {kept:9.1f} s with compiled code kept")
    if options.cold:
        with tempfile.TemporaryDirectory() as empty:
            cold = cold_start(options.variant, path, empty)
        print(f"                           {cold:9.1f} s without")


if __name__ == "__main__":
    main()
