"""Let players of long nardy play each other: each of the arguments against the next one.

    python -m tests.bench.ai_ladder_long random plain heuristic FILE FILE@1 FILE@2 [--games 400]

A player is `random`, `plain` (`ladder.rules_of_thumb`), `heuristic` (features with fitted weights,
frozen), a level (`beginner` ... `master`), or the file of a net and its search depth in plies
(default 0); `@1` without a file is the net that ships with the site. Every sequence of dice is
played twice with the sides swapped; the cube is off, mars counts. The net of `--judge`, by default
that of the last argument with a net, evaluates the luck of the dice, which is subtracted. Intervals
are 95 % confidence intervals of the mean of the pairs.
"""

import argparse
import os
import random
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

from games.ai.bots.levels import LEVELS, Level, choose
from games.ai.kernel.bits import IntArray
from games.ai.kernel.long import turns as kernel
from games.ai.net import weights_files
from games.ai.net.player import NetPlayer
from games.engine.rules import Rules, Variant
from tests.bench.ladder import compiled, rules_of_thumb
from tests.bench.net_duels import Dice, Player, Setting, duel, named_net, net_player, summary_of

WITHOUT_NET = ("random", "plain", "heuristic")


def player_of(name: str) -> Player:
    if name == "random":
        return picking(lambda _boards, count, rng: rng.randrange(count))
    if name == "plain":
        return picking(lambda boards, count, _rng: rules_of_thumb.best_of(boards, count))
    if name == "heuristic":
        return picking(lambda boards, count, _rng: compiled.best_of(boards, count))
    if name in LEVELS:
        return level_player(LEVELS[name])
    path, plies = named_net(name, Variant.LONG)
    return net_player(path, Variant.LONG, plies)


def picking(pick: Callable[[IntArray, int, random.Random], int]) -> Player:
    """Return a player that moves to the afterstate whose row `pick(rows, count, rng)` returns."""
    afters = np.empty((kernel.MAX_AFTERSTATES, 26), np.int8)

    def play(board: IntArray, dice: Dice, flags: int, rng: random.Random) -> IntArray:
        count = kernel.afterstates(board, *dice, flags, afters)
        after: IntArray = afters[pick(afters, count, rng) if count > 1 else 0]
        return after

    return play


def level_player(level: Level) -> Player:
    player, rules = NetPlayer(Variant.LONG), Rules.of(Variant.LONG)

    def play(board: IntArray, dice: Dice, flags: int, rng: random.Random) -> IntArray:
        first, salt = bool(flags & kernel.FIRST_TURN), str(rng.random())
        return choose(player, level, board, dice, rules, first, salt=salt).after

    return play


def setting_of(names: Sequence[str], judge: Path | None, seed: int) -> Setting:
    files = [judge] if judge else [
        named_net("" if name in LEVELS else name, Variant.LONG)[0]
        for name in names
        if name not in WITHOUT_NET
    ]  # fmt: skip
    weights = weights_files.load(files[-1], Variant.LONG)[1] if files else None
    return Setting(Variant.LONG, weights, seed)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("players", nargs="+", metavar="PLAYER")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--judge", type=Path, metavar="FILE", help="the net that evaluates the luck of the dice"
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    setting = setting_of(options.players, options.judge, options.seed)
    for lower, upper in pairwise(options.players):
        pairs = duel(
            partial(player_of, upper),
            partial(player_of, lower),
            setting,
            max(2, options.games // 2),
            options.threads,
        )
        print(f"{upper} against {lower}: {summary_of(pairs, setting)}", flush=True)


if __name__ == "__main__":
    main()
