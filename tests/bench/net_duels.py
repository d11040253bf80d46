"""Play pairs of games on several cores; return the results less the luck of the dice.

Both games of a pair have the same dice, with the sides swapped. A net evaluates the luck of every
roll (`games.ai.net.rollouts`). The mean of luck is zero for any players and any net, so subtracting
it keeps the mean of the results and lowers their variance. Before it is subtracted, luck is
multiplied by the slope of the results over luck. The slope is nearly 1 between players like the net
and smaller between others.
"""

import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean, stdev

import numpy as np

from games.ai.kernel import game, net
from games.ai.kernel.bits import IntArray
from games.ai.net import weights_files
from games.ai.net.rollouts import Roller
from games.ai.net.search import MAX_PLIES, Filters, Searcher, Stakes
from games.engine.rules import Rules, Variant

Dice = tuple[int, int]
# Takes the board, the dice, the flags of the turn and a random generator; returns the board after
# the turn, as the mover sees it.
Player = Callable[[IntArray, Dice, int, random.Random], IntArray]

PROGRESS_S = 20.0
FEW_PAIRS = 20  # fewer pairs do not show the slope of the results over luck
# Filters with half the candidates and nearly the same choices, for thousands of games at 1-ply.
QUICK = {
    game.SHORT: Filters(6, 0.15, 4, 0.1, 2, 0.04),
    game.LONG: Filters(8, 0.25, 4, 0.1, 2, 0.05),
}


@dataclass(frozen=True)
class Setting:
    """The variant, the seed, and the net that evaluates luck (None = no luck is subtracted)."""

    variant: Variant
    judge: net.Weights | None
    seed: int

    @property
    def rules(self) -> Rules:
        return Rules.of(self.variant)


@dataclass(frozen=True)
class Pair:
    """Points and luck of the first player, as means of the two games."""

    points: float
    luck: float


def net_player(path: Path, variant: Variant, plies: int, filters: Filters | None = None) -> Player:
    """Return a player with this net; not thread-safe."""
    _header, weights = weights_files.load(path, variant)
    number, rules = weights_files.VARIANTS[variant], Rules.of(variant)
    searcher = Searcher(number, weights, filters or QUICK[number])
    kinds, stakes = game.MODULES[number].kinds_of(rules), Stakes.of(rules)

    def play(board: IntArray, dice: Dice, flags: int, _rng: random.Random) -> IntArray:
        return searcher.choose(board, dice, flags, kinds, plies, stakes)

    return play


def named_net(name: str, variant: Variant) -> tuple[Path, int]:
    """Parse `FILE` or `FILE@PLIES`; `@PLIES` alone means the net that ships with the site."""
    file, _, plies = name.partition("@")
    depth = int(plies or 0)
    if not 0 <= depth <= MAX_PLIES:
        raise ValueError(name)
    return (Path(file) if file else weights_files.FOLDER / f"{variant.value}.net"), depth


class Table:
    """Plays the pairs of one thread, with a roller that evaluates the luck of the dice."""

    def __init__(self, setting: Setting) -> None:
        self._variant = weights_files.VARIANTS[setting.variant]
        self._module = game.MODULES[self._variant]
        self._rules, self._seed = setting.rules, setting.seed
        self._kinds, self._stakes = self._module.kinds_of(self._rules), Stakes.of(self._rules)
        self._roller = Roller(self._variant, setting.judge) if setting.judge else None

    def pair(self, first: Player, second: Player, number: int) -> Pair:
        first_points, first_luck = self._game((first, second), number)
        second_points, second_luck = self._game((second, first), number)
        return Pair((first_points - second_points) / 2, (first_luck - second_luck) / 2)

    def _game(self, players: tuple[Player, Player], number: int) -> tuple[int, float]:
        """Play one game; return the points and the luck of the player that begins."""
        dice, rng = random.Random(f"{self._seed} {number}"), random.Random(number)
        board, luck, turn = np.empty(26, np.int8), 0.0, 0
        game.start(self._variant, board)
        while True:
            roll = dice.randint(1, 6), dice.randint(1, 6)
            while turn == 0 and self._variant == game.SHORT and roll[0] == roll[1]:
                roll = dice.randint(1, 6), dice.randint(1, 6)
            flags = self._module.turn_flags(self._rules, turn < 2)
            sign = 1 if turn % 2 == 0 else -1
            if turn and self._roller:  # the mean over all rolls does not fit the first roll
                weighed = self._roller.weigh(board, roll, flags, self._kinds, self._stakes)
                luck += sign * weighed.luck
            after = players[turn % 2](board, roll, flags, rng)
            points = int(game.finished(self._variant, after, self._kinds))
            if points:
                return sign * points, luck
            game.flip(self._variant, after, board)
            turn += 1


def duel(
    first: Callable[[], Player],
    second: Callable[[], Player],
    setting: Setting,
    pairs: int,
    threads: int,
) -> list[Pair]:
    """Play the pairs in threads, each with new players; the number of threads changes no result."""
    found: list[Pair] = []

    def work(numbers: range) -> None:
        table, one, other = Table(setting), first(), second()
        for number in numbers:
            found.append(table.pair(one, other, number))

    with ThreadPoolExecutor(threads) as pool:
        jobs = {pool.submit(work, range(at, pairs, threads)) for at in range(threads)}
        watch(jobs, lambda: f"{len(found)} of {pairs} pairs")
    return found


def watch(jobs: set[Future[None]], progress: Callable[[], str]) -> None:
    """Wait for the jobs and print their progress; raise their exceptions."""
    begun = time.monotonic()
    while jobs:
        done, jobs = wait(jobs, PROGRESS_S, FIRST_COMPLETED)
        for job in done:
            job.result()
        if jobs and not done:
            print(f"  {time.monotonic() - begun:5.0f} s  {progress()}", file=sys.stderr, flush=True)


def interval(values: list[float]) -> tuple[float, float]:
    """Return the mean and half its 95 % confidence interval."""
    return fmean(values), 1.96 * stdev(values) / len(values) ** 0.5


def points_without_luck(pairs: list[Pair]) -> list[float]:
    """Return the points of each pair less its luck times the slope."""
    points = np.array([pair.points for pair in pairs])
    luck = np.array([pair.luck for pair in pairs])
    if len(pairs) < FEW_PAIRS:
        slope = 1.0
    else:
        slope = np.cov(points, luck)[0, 1] / max(luck.var(ddof=1), 1e-9)
    left: list[float] = (points - slope * luck).tolist()
    return left


def summary_of(pairs: list[Pair], setting: Setting) -> str:
    """Return the figures of a duel as text."""
    mean, half = interval([pair.points for pair in pairs])
    as_they_fell = f"{mean:+.3f} +- {half:.3f}"
    if setting.judge is None:
        return f"{as_they_fell} points a game, {2 * len(pairs)} games"
    mean, half = interval(points_without_luck(pairs))
    return (
        f"{mean:+.3f} +- {half:.3f} points a game without luck "
        f"({as_they_fell} as they fell), {2 * len(pairs)} games"
    )
