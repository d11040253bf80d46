"""Measure the loss per decision of long nardy at 0, 1 and 2 plies by our own rollouts.

    python -m tests.bench.ai_rollouts [--net FILE] [--trials 144] [--turns 10] [--kept FILE]

The decisions are fixed (`long_positions`). Where the depths choose differently, their choices and
the next best at 2-ply are rolled out `--trials` times with the same dice, both sides at 0-ply.
After `--turns` turns the net evaluates the position, and the luck of the dice is subtracted. One
half of the trials finds the best candidate and the other half measures its lead, so that luck of
the rollouts does not count as a loss. Where all depths choose the same play, the loss counts as
zero. Intervals are 95 % confidence intervals. `--kept` saves the verdicts, and a stopped run
continues from them.
"""

import argparse
import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np

from games.ai.kernel import net
from games.ai.kernel.bits import FloatArray, IntArray
from games.ai.kernel.game import LONG
from games.ai.net import weights_files
from games.ai.net.rollouts import Roller, dice_of
from games.ai.net.search import MAX_PLIES, Searcher, Stakes
from games.engine.rules import Variant
from tests.bench.long_positions import KINDS, RULES, Question, read
from tests.bench.net_duels import interval, watch

STAKES = Stakes.of(RULES)
DEPTHS = range(MAX_PLIES + 1)


@dataclass(frozen=True)
class Way:
    """Settings of the rollouts of a decision.

    Each candidate has `trials` rollouts of `turns` turns. `also` = the number of candidates besides
    those that a depth has chosen.
    """

    trials: int
    turns: int
    also: int


@dataclass(frozen=True)
class Verdict:
    """The rollouts of a decision; empty if all depths choose the same play.

    `values` are points by [candidate, trial]; `chosen` has the candidate's row for each depth.
    """

    chosen: tuple[int, ...] = ()
    values: FloatArray | None = None

    def loss(self, plies: int) -> float:
        """Return the loss of the depth's choice against the best candidate, in thousandths."""
        if self.values is None:
            return 0.0
        halves = [half.mean(axis=1) for half in np.array_split(self.values, 2, axis=1)]
        lost = [
            measured[found.argmax()] - measured[self.chosen[plies]]
            for found, measured in (halves, halves[::-1])
        ]
        return 1000 * float(np.mean(lost))

    def gain(self, plies: int, other: int) -> float:
        """Return the lead of the depth's choice over the other depth's, in thousandths."""
        if self.values is None:
            return 0.0
        worths = self.values.mean(axis=1)
        return 1000 * float(worths[self.chosen[plies]] - worths[self.chosen[other]])

    def doubt(self) -> float:
        """Return the standard error of the difference of two candidates, in thousandths."""
        assert self.values is not None
        pairs = combinations(self.values, 2)
        spread = np.mean([np.var(one - other, ddof=1) for one, other in pairs])
        return 1000 * float(np.sqrt(spread / self.values.shape[1]))


class Referee:
    """Rolls out candidates; not thread-safe, since it reuses its arrays."""

    def __init__(self, weights: net.Weights, way: Way) -> None:
        self._searcher, self._roller = Searcher(LONG, weights), Roller(LONG, weights)
        self._way = way

    def judge(self, question: Question, number: int) -> Verdict:
        board, dice, flags = question.board, question.dice, question.flags
        chosen = [
            self._searcher.choose(board, dice, flags, KINDS, plies, STAKES).tobytes()
            for plies in DEPTHS
        ]
        if len(set(chosen)) == 1:
            return Verdict()
        ranked = self._searcher.ranked(board, dice, flags, KINDS, MAX_PLIES, STAKES)
        others = [each.after.tobytes() for each in ranked if each.after.tobytes() not in chosen]
        candidates = list(dict.fromkeys(chosen + others[: self._way.also]))
        rolls = dice_of(self._way.trials, self._way.turns, [number])
        values = [
            self._roller.roll_out(board_of(each), rolls, flags, KINDS, STAKES)
            for each in candidates
        ]
        return Verdict(tuple(candidates.index(each) for each in chosen), np.array(values))


def board_of(content: bytes) -> IntArray:
    return np.frombuffer(content, np.int8).copy()


class SavedVerdicts:
    """Verdicts by the number of the decision; a file, if given, has a line of JSON for each.

    `about` names the net and the settings; lines about others are ignored.
    """

    def __init__(self, file: Path | None, about: str) -> None:
        self._file, self._about = file, about
        self.verdicts: dict[int, Verdict] = {}
        if file and file.exists():
            for line in file.read_text(encoding="utf-8").splitlines():
                number, of, chosen, values = json.loads(line)
                if of == about:
                    found = np.array(values) if chosen else None
                    self.verdicts[number] = Verdict(tuple(chosen), found)

    def add(self, number: int, verdict: Verdict) -> None:
        self.verdicts[number] = verdict
        if self._file:
            values = [] if verdict.values is None else verdict.values.round(5).tolist()
            line = json.dumps([number, self._about, verdict.chosen, values])
            with self._file.open("a", encoding="utf-8") as file:
                file.write(line + "\n")


def judged(
    weights: net.Weights, questions: list[Question], way: Way, saved: SavedVerdicts, threads: int
) -> list[Verdict]:
    left = [number for number in range(len(questions)) if number not in saved.verdicts]

    def work(numbers: list[int]) -> None:
        referee = Referee(weights, way)
        for number in numbers:
            saved.add(number, referee.judge(questions[number], number))

    with ThreadPoolExecutor(threads) as pool:
        jobs = {pool.submit(work, left[at::threads]) for at in range(threads)}
        watch(jobs, lambda: f"{len(saved.verdicts)} of {len(questions)} decisions")
    return [saved.verdicts[number] for number in range(len(questions))]


def report(verdicts: list[Verdict]) -> None:
    apart = [verdict for verdict in verdicts if verdict.values is not None]
    print(f"{len(verdicts)} decisions; on {len(apart)} the depths differ")
    if not apart:
        return
    doubt = np.mean([verdict.doubt() for verdict in apart])
    print(f"a difference between two candidates is known to {doubt:.1f} thousandths (one sigma)")
    for plies in DEPTHS:
        mean, half = interval([verdict.loss(plies) for verdict in verdicts])
        print(f"{plies}-ply loses {mean:5.2f} +- {half:.2f} thousandths a decision")
    for lower, higher in combinations(DEPTHS, 2):
        mean, half = interval([verdict.gain(higher, lower) for verdict in verdicts])
        differ = sum(verdict.chosen[higher] != verdict.chosen[lower] for verdict in apart)
        print(
            f"{higher}-ply loses {mean:5.2f} +- {half:.2f} less than {lower}-ply "
            f"({differ} choices differ)"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--net", type=Path, default=weights_files.FOLDER / "long.net")
    # Each half of a multiple of 72 trials has every roll of the dice equally often.
    parser.add_argument("--trials", type=int, default=144, help="a multiple of 72 is best")
    parser.add_argument("--turns", type=int, default=10)
    parser.add_argument("--also", type=int, default=1, help="candidates that no depth has chosen")
    parser.add_argument("--decisions", type=int, default=300)
    parser.add_argument("--kept", type=Path, metavar="FILE", help="verdicts, to go on from")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    header, weights = weights_files.load(options.net, Variant.LONG)
    questions = read()[: options.decisions]
    way = Way(options.trials, options.turns, options.also)
    saved = SavedVerdicts(options.kept, f"{header.sha256} {way}")
    print(f"long, {header.hidden} units, {header.games:,} games; {options.trials} trials each,")
    print(f"{options.turns} turns long")
    report(judged(weights, questions, way, saved, options.threads))


if __name__ == "__main__":
    main()
