"""A training: chunks of games on all threads, a falling learning rate, snapshots.

Each thread's seed for a chunk follows from the plan's seed and the numbers of chunk and thread. So
a resumed training continues as if it had never stopped; on one thread and with a length in games,
the weights are the same bit for bit.
"""

import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

import numpy as np

from games.ai.kernel import choice, game, net
from games.ai.net import weights_files
from games.ai.train import duels, selfplay
from games.engine.rules import Profile, Rules, Variant

NEWEST = "newest.net"
_CHUNK = 200  # games of each thread
_EXACT_CHUNK = 8  # the same, while training on exact means
_TRACE_UNTIL = 0.5  # share of the training after which the trace is 0
_PROGRESS_S = 20.0  # time between two lines of progress, each with a save
_DUEL_PAIRS = 250  # pairs of games that a snapshot plays against the one before


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of a training; `games`, if given, replaces `seconds` as its length.

    `exact`: the share of the training, at its end, that uses exact means over the 21 rolls.
    `rates`: the learning rate falls from the first to the second. `trace`: the lambda of the
    lambda-return (`selfplay`) when the training begins; it falls to 0 in the first half.
    """

    variant: Variant
    folder: Path
    seconds: float
    games: int | None = None
    threads: int = 1
    hidden: int = 128
    exact: float = 0.0
    rates: tuple[float, float] = (0.04, 0.0005)
    trace: float = 0.2
    seed: int = 1
    snapshot_s: float = 300.0


class Trainer:
    """One training, new or resumed."""

    def __init__(self, plan: Plan, *, resume: bool = False) -> None:
        self.plan = plan
        self.variant = weights_files.VARIANTS[plan.variant]
        module = game.MODULES[self.variant]
        rules = Rules.of(plan.variant, Profile.CLASSIC)
        self.flags, self.kinds = module.turn_flags(rules, False), module.kinds_of(rules)
        self.header = weights_files.header_of(plan.variant, plan.hidden, 0, commit())
        self.chunk, self.seconds = 0, 0.0
        self.snapshot_games = 0  # games of the last snapshot, 0 before the first
        if resume:
            self._resume()
        else:
            shape = module.PHASES, module.INPUTS, plan.hidden
            self.weights = net.random_weights(*shape, plan.seed)
        self.buffers = [choice.make_turn_buffers(self.weights) for _ in range(plan.threads)]
        self.records = [selfplay.make_record() for _ in range(plan.threads)]
        # The weights to compare the next snapshot with: those of the last one, or of the start of
        # this run if there is none.
        self.before = self._last_snapshot() or self._copied_weights()
        self._is_stopping = False

    def _resume(self) -> None:
        found, self.weights = weights_files.load(self.plan.folder / NEWEST, self.plan.variant)
        self.header = replace(self.header, hidden=found.hidden, games=found.games)
        self.chunk = int(found.training["chunk"])
        self.seconds = found.training["seconds"]
        # Older files lack it.
        self.snapshot_games = int(found.training.get("snapshot_games", 0))

    def _last_snapshot(self) -> net.Weights | None:
        path = self._snapshot_path(self.snapshot_games)
        if not self.snapshot_games or not path.exists():
            return None
        return weights_files.load(path, self.plan.variant)[1]

    def _snapshot_path(self, games: int) -> Path:
        return self.plan.folder / f"{games:09}.net"

    def _copied_weights(self) -> net.Weights:
        return net.Weights(*(array.copy() for array in self.weights))

    @property
    def progress(self) -> float:
        if self.plan.games is not None:
            return min(1.0, self.header.games / self.plan.games)
        return min(1.0, self.seconds / self.plan.seconds)

    def stop(self) -> None:
        """Ask `run` to finish the current games, save and return."""
        self._is_stopping = True

    def run(self, log: TextIO) -> net.Weights:
        """Train to the end of the plan; snapshots of the weights go to the folder."""
        self._warm_up()
        shown = snapshot_at = began = time.monotonic()
        with ThreadPoolExecutor(self.plan.threads) as pool:
            while self.progress < 1.0 and not self._is_stopping:
                turns = self._train_chunk(pool)
                now = time.monotonic()
                self.seconds, began = self.seconds + now - began, now
                if now - shown > _PROGRESS_S:
                    shown = now
                    self._show(log, turns)
                    self.save()
                if now - snapshot_at > self.plan.snapshot_s:
                    self._snapshot(log)
                    # The time of the comparison does not count as training.
                    snapshot_at = began = time.monotonic()
        if self._is_stopping:
            self.save()
            log.write(f"Stopped after {self.header.games} games; --resume continues.\n")
        else:
            self._snapshot(log)
        return self.weights

    def _warm_up(self) -> None:
        """Compile, or load compiled code, by playing no games; this time does not count."""
        self._play(0, 0, 0.0, 0.0, False, self.weights)

    def _train_chunk(self, pool: ThreadPoolExecutor) -> int:
        progress = self.progress
        exact = progress >= 1.0 - self.plan.exact
        first, last = self.plan.rates
        rate = first * (last / first) ** progress
        trace = self.plan.trace * max(0.0, 1.0 - progress / _TRACE_UNTIL)
        games = _EXACT_CHUNK if exact else _CHUNK
        if self.plan.games is not None:
            left = self.plan.games - self.header.games
            games = min(games, -(-left // self.plan.threads))
        work = [
            pool.submit(self._play, thread, games, rate, trace, exact, self.weights)
            for thread in range(self.plan.threads)
        ]
        turns = sum(each.result() for each in work)
        self.chunk += 1
        self.header = replace(self.header, games=self.header.games + games * len(work))
        return turns // (games * len(work))

    def _play(
        self,
        thread: int,
        games: int,
        rate: float,
        trace: float,
        exact: bool,
        weights: net.Weights,
    ) -> int:
        seed = np.random.SeedSequence([self.plan.seed, self.chunk, thread]).generate_state(1)[0]
        return selfplay.play_games(
            self.variant, games, int(seed), self.flags, self.kinds, trace, rate, exact, weights,
            self.buffers[thread], self.records[thread],
        )  # fmt: skip

    def _show(self, log: TextIO, turns: int) -> None:
        speed = self.header.games / max(1.0, self.seconds)
        log.write(
            f"{self.progress:6.1%}  {self.seconds / 60:6.1f} min  {self.header.games:>9} games"
            f"  {speed:6.0f} a second on average  {turns} turns a game\n"
        )
        log.flush()

    def save(self) -> None:
        """Write the state from which a training can resume."""
        training = {
            "chunk": float(self.chunk),
            "seconds": self.seconds,
            "snapshot_games": float(self.snapshot_games),
        }
        state = replace(self.header, number="<f4", training=training)
        weights_files.save(self.plan.folder / NEWEST, state, self.weights)

    def _snapshot(self, log: TextIO) -> None:
        """Keep a copy named by its number of games, save, and compare it with the last snapshot."""
        kept = self._snapshot_path(self.header.games)
        weights_files.save(kept, self.header, self.weights)
        self.snapshot_games = self.header.games
        self.save()
        mean, half = duels.points_per_game(
            self.variant, self.weights, self.before, _DUEL_PAIRS, self.plan.seed, self.kinds
        )
        log.write(f"{kept.name}: {mean:+.3f} +- {half:.3f} points a game against the one before\n")
        log.flush()
        self.before = self._copied_weights()


def commit() -> str:
    """Return the commit of the training code, for the header; "unknown" if there is none."""
    try:
        run = subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"],
            cwd=Path(__file__).parent,
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:  # git is not installed
        return "unknown"
    return run.stdout.strip() or "unknown"
