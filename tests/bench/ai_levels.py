"""Measure the six levels: equity lost per decision, and Elo.

    python -m tests.bench.ai_levels short|long [--minutes 6] [--tools DIR] [--seed 1] [--write]

Elo: each level plays the next weaker one, and the weakest plays a random legal mover, whose Elo is
0. The games are single ones, won or lost, without a cube. Every sequence of dice is played twice
with the sides swapped, and the luck of each roll (the value of its best play less the mean over all
rolls) is subtracted: this leaves the means as they are, and a tenth of the games suffices. Luck is
not subtracted in games against the random mover, which the net's evaluations do not describe. The
Elo of a level is the sum of the steps up to it, and its interval is that of this sum.

Loss: at turns with more than one legal result, taken from those games, every level chooses a play.
The plays are judged by our own net two turns ahead, or with `--tools` (the folder of
gnubg_oracle.py, which is not part of this repository; short backgammon only) by GNU Backgammon at
2-ply. The loss is the equity by which a play is worse than the best play judged: one of the six
levels' choices, or with `--tools` also GNU Backgammon's own choice.

`--write` stores the figures in games/ai/bots/measured.json, which the pages read. The run uses one
core.
"""

import argparse
import json
import math
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median, stdev
from typing import Any

import numpy as np

from games.ai.bots import levels
from games.ai.bots.levels import LEVELS, Level
from games.ai.kernel import game
from games.ai.kernel.bits import IntArray
from games.ai.net.player import NetPlayer
from games.ai.net.rolls import ROLL_WEIGHTS, ROLLS
from games.ai.net.search import Stakes
from games.ai.net.weights_files import VARIANTS
from games.engine.rules import Rules, Variant

Dice = tuple[int, int]
# The part of `--minutes` that the games take; judging takes the rest.
GAMES_SHARE = 0.5
# The part of the games' time for each step of the Elo: the weakest level against the random mover,
# then each level against the next weaker one.
SHARES = (0.06, 0.1, 0.12, 0.14, 0.18, 0.4)
FILE = Path(__file__).parents[2] / "games" / "ai" / "bots" / "measured.json"


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a game; `number` counts the turns of both sides from 0."""

    board: IntArray
    dice: Dice
    number: int

    @property
    def first_turn(self) -> bool:
        return is_first(self.number)


def is_first(number: int) -> bool:
    """Return whether the turn with this number is its side's first one."""
    return number < 2


@dataclass(slots=True)
class LevelGames:
    """Plays levels of one variant against each other and keeps the turns that occurred."""

    variant: Variant
    player: NetPlayer
    rules: Rules = field(init=False)
    turns: list[Turn] = field(default_factory=list)
    times: dict[str, list[float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.rules = Rules.of(self.variant)

    def play(self, who: Level | None, turn: Turn, salt: str) -> IntArray:
        """Return the board after a turn of the level `who`; None moves at random."""
        if who is None:
            found = self.player.ranked(turn.board, turn.dice, self.rules, turn.first_turn, 0)
            found.sort(key=lambda each: each.after.tobytes())
            return random.Random(f"{salt} {turn.board.tolist()} {turn.dice}").choice(found).after
        begun = time.process_time()
        board, dice = turn.board, turn.dice
        chosen = levels.choose(
            self.player, who, board, dice, self.rules, turn.first_turn, salt=salt
        )
        self.times.setdefault(who.name, []).append(1000 * (time.process_time() - begun))
        return chosen.after

    def game(self, players: tuple[Level | None, Level | None], seed: str) -> float:
        """Play a game; return 1 if the first player, who begins, won, else 0, less their luck."""
        module, rng = game.MODULES[VARIANTS[self.variant]], random.Random(seed)
        kinds, board, luck = module.kinds_of(self.rules), np.empty(26, np.int8), 0.0
        module.start(board)
        for number in range(10_000):
            dice = (rng.randint(1, 6), rng.randint(1, 6))
            while number == 0 and self.variant is Variant.SHORT and dice[0] == dice[1]:
                dice = (rng.randint(1, 6), rng.randint(1, 6))
            turn, mine = Turn(board.copy(), dice, number), number % 2 == 0
            if None not in players:
                luck += self.luck(turn, number == 0) * (1 if mine else -1)
            after = self.play(players[number % 2], turn, seed)
            self.turns.append(turn)
            if module.finished(after, kinds):
                return float(mine) - luck
            module.flip(after, board)
        raise AssertionError("a game without end")

    def luck(self, turn: Turn, opens: bool) -> float:
        """Return the roll's luck in winning chances; short backgammon opens without a doublet."""
        total = weights = ours = 0.0
        for dice, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True):
            if opens and self.variant is Variant.SHORT and dice[0] == dice[1]:
                continue
            found = self._best_chance(turn, dice)
            total, weights = total + weight * found, weights + weight
            if sorted(dice) == sorted(turn.dice):
                ours = found
        return ours - total / weights

    def _best_chance(self, turn: Turn, dice: Dice) -> float:
        module = game.MODULES[VARIANTS[self.variant]]
        after = self.player.choose_at(
            turn.board, dice, self.rules, turn.first_turn, 0, Stakes.of(self.rules)
        )
        if module.finished(after, module.kinds_of(self.rules)):
            return 1.0
        seen = np.empty(26, np.int8)
        module.flip(after, seen)
        return 1.0 - self.player.chances(seen)[0]


def duel(
    level_games: LevelGames, stronger: Level, weaker: Level | None, seconds: float, seed: int
) -> Any:
    """Return (share of games that the stronger wins, half its 95 % interval, number of games)."""
    pairs: list[float] = []
    begun = time.process_time()
    while len(pairs) < 10 or time.process_time() - begun < seconds:
        dice = f"{seed} {stronger.name} {len(pairs)}"
        pairs.append(
            (
                level_games.game((stronger, weaker), dice)
                + 1
                - level_games.game((weaker, stronger), dice)
            )
            / 2
        )
    return fmean(pairs), 1.96 * stdev(pairs) / len(pairs) ** 0.5, 2 * len(pairs)


def elo_of(share: float, half: float, games: int) -> tuple[float, float]:
    """Convert a share of games won to an Elo difference; return it and half its interval.

    A share may lie beyond 0 or 1, since luck is subtracted from the results. It is kept half a game
    away from both, where the difference is infinite.
    """
    clipped = min(1 - 0.5 / games, max(0.5 / games, share))
    if clipped != share:
        half = max(half, 1.96 * (clipped * (1 - clipped) / games) ** 0.5)
    elo = 400 * math.log10(clipped / (1 - clipped))
    return elo, half * 400 / math.log(10) / (clipped * (1 - clipped))


Judge = Callable[[Turn, list[IntArray]], list[float]]


def own_judge(level_games: LevelGames) -> Judge:
    """Return a judge that uses our net: the mean equity over all rolls after the 1-ply answers."""
    module, rules = game.MODULES[VARIANTS[level_games.variant]], level_games.rules
    kinds = module.kinds_of(rules)

    def worth(turn: Turn, after: IntArray) -> float:
        points = module.finished(after, kinds)
        if points:
            return float(points)
        seen, total, first_turn = np.empty(26, np.int8), 0.0, is_first(turn.number + 1)
        module.flip(after, seen)
        for dice, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True):
            answers = level_games.player.ranked(seen, dice, rules, first_turn, 1)
            total += weight * answers[0].equity
        return -total / 36

    return lambda turn, afters: [worth(turn, after) for after in afters]


def gnubg_judge(tools: Path) -> Judge:
    """Return a judge that uses GNU Backgammon at 2-ply and also considers its own best turn."""
    sys.path.insert(0, str(tools))
    from gnubg_oracle import Gnubg, flip  # type: ignore[import-not-found]

    gnubg = Gnubg()

    def worths(turn: Turn, afters: list[IntArray]) -> list[float]:
        best = gnubg.after_best([(turn.board.tolist(), turn.dice)], 2)[0]
        boards = [flip(board) for board in [*(after.tolist() for after in afters), best]]
        return [-found[5] for found in gnubg.evaluate(boards, 2)]  # 5: equity

    return worths


def losses(
    level_games: LevelGames, judge: Judge, seconds: float, seed: int, clock: Callable[[], float]
) -> dict[str, list[float]]:
    """Return each level's losses in thousandths of a point, all at the same turns of the games."""
    found: dict[str, list[float]] = {name: [] for name in LEVELS}
    drawn = random.Random(f"turns {seed}").sample(level_games.turns, len(level_games.turns))
    begun = clock()
    for turn in drawn:
        if clock() - begun > seconds:
            break
        ranked = level_games.player.ranked(
            turn.board, turn.dice, level_games.rules, turn.first_turn, 0
        )
        if len(ranked) < 2:
            continue
        played = {name: level_games.play(LEVELS[name], turn, str(seed)) for name in LEVELS}
        distinct = {after.tobytes(): after for after in played.values()}
        worths = judge(turn, list(distinct.values()))
        best, by_board = max(worths), dict(zip(distinct, worths, strict=False))
        for name, after in played.items():
            found[name].append(1000 * (best - by_board[after.tobytes()]))
    return found


def measure(
    variant: Variant, net: Path | None, minutes: float, tools: Path | None, seed: int
) -> dict[str, Any]:
    level_games = LevelGames(variant, NetPlayer(variant, net))
    level_games.game((LEVELS["master"], LEVELS["beginner"]), "warm")
    level_games.turns.clear()
    level_games.times.clear()
    table: dict[str, dict[str, float]] = {}
    elo = square = 0.0
    fewest = 10**9
    for (weaker, stronger), share in zip(_rungs(), SHARES, strict=True):
        won, half, games = duel(
            level_games, stronger, weaker, 60 * minutes * GAMES_SHARE * share, seed
        )
        step, step_half = elo_of(won, half, games)
        elo, square, fewest = elo + step, square + step_half**2, min(fewest, games)
        table[stronger.name] = {"elo": round(elo), "elo_half": round(square**0.5)}
        print(
            f"{variant}: {stronger.name} wins {won:.3f} +- {half:.3f} of {games} games against "
            f"{weaker.name if weaker else 'any legal move'}",
            flush=True,
        )
    judge = gnubg_judge(tools) if tools else own_judge(level_games)
    clock = time.monotonic if tools else time.process_time  # gnubg runs in another process
    lost = losses(level_games, judge, 60 * minutes * (1 - GAMES_SHARE), seed, clock)
    count = len(next(iter(lost.values())))
    for name, each in lost.items():
        half = 1.96 * stdev(each) / count**0.5
        table[name] = {"loss": round(fmean(each), 1), "loss_half": round(half, 1), **table[name]}
    _show(variant, table, level_games, lost)
    kind = "gnubg" if tools else "own"
    return {"judge": kind, "decisions": count, "games": fewest, "levels": table}


def _rungs() -> Iterator[tuple[Level | None, Level]]:
    yield None, next(iter(LEVELS.values()))
    yield from pairwise(LEVELS.values())


def _show(
    variant: Variant, table: Any, level_games: LevelGames, lost: dict[str, list[float]]
) -> None:
    print(f"\n{variant}, {len(next(iter(lost.values())))} decisions")
    before = None
    for name, each in table.items():
        factor = f"{before / each['loss']:.2f}" if before and each["loss"] else ""
        print(
            f"  {name:<9} loss {each['loss']:6.1f} +- {each['loss_half']:4.1f}  factor {factor:>5}"
            f"  Elo {each['elo']:5} +- {each['elo_half']:3}"
            f"  {median(level_games.times[name]):7.2f} ms a turn"
        )
        before = each["loss"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", type=Variant, choices=list(Variant))
    parser.add_argument("--minutes", type=float, default=6.0)
    parser.add_argument("--net", type=Path)
    parser.add_argument("--tools", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    found = measure(options.variant, options.net, options.minutes, options.tools, options.seed)
    if options.write:
        kept = json.loads(FILE.read_text())
        FILE.write_text(json.dumps({**kept, options.variant.value: found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
