"""Report of a finished review: a finding for each judged step, and lists for the whole match.

Judgments are those of `games.ai.judge.judgments`, by seq.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from games.ai.judge import grades
from games.engine.board.moves import play_from_text
from games.engine.match.state import MatchCause
from games.models import Match, Review
from games.reviews.playback import StepAddress
from games.reviews.totals import Totals, is_counted, totals_of

Judgment = dict[str, Any]

# Length of the lists: the costliest errors, the luckiest and unluckiest rolls.
MOST = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """The judgment at one step; `grade` is that of its error, "" if it has none."""

    seq: int
    address: StepAddress
    judgment: Judgment
    grade: str

    @property
    def loss(self) -> float:
        return float(self.judgment.get("loss", 0.0))

    @property
    def luck(self) -> float | None:
        """The luck of the roll at this step; None if nothing was rolled."""
        return self.judgment.get("luck")

    @property
    def is_decision(self) -> bool:
        """True if the step is a decision that counts for the error rate."""
        return is_counted(self.judgment)

    @property
    def arrows(self) -> dict[str, list[list[int]]]:
        """The moves of the best play (`good`), and the other moves of the play made (`bad`).

        Points are in the side's numbering. Both lists are empty unless the play is an error.
        """
        if self.judgment["kind"] != "play" or not self.grade:
            return {"good": [], "bad": []}
        good, bad = (_moves(self.judgment[name]) for name in ("best", "played"))
        return {"good": good, "bad": _without(bad, good)}


@dataclass(frozen=True, slots=True)
class ReviewReport:
    """The findings of a review at every step that has one, by seq, and lists for the match.

    `lucky` are the luckiest and the unluckiest rolls, `worst` the costliest errors.
    """

    totals: Totals
    found: dict[int, Finding]
    lucky: list[Finding]
    worst: list[Finding]

    @property
    def errors(self) -> list[Finding]:
        return [each for each in self.found.values() if each.grade]


def error_of(judgment: Judgment) -> str:
    """Return the grade of the error in a decision that counts, "" if there is none."""
    return grades.grade_of(judgment["loss"]) if is_counted(judgment) else ""


def report_of(match: Match, review: Review, addresses: Mapping[int, StepAddress]) -> ReviewReport:
    """Build the report of a finished review; `addresses` are those of the steps, by seq."""
    judged = sorted((int(seq), judgment) for seq, judgment in review.judgments.items())
    found = {
        seq: Finding(seq, addresses[seq], judgment, error_of(judgment))
        for seq, judgment in judged
        if seq in addresses
    }
    errors = [each for each in found.values() if each.grade]
    return ReviewReport(
        totals_of(judged, result_of(match), match.rules["length"]),
        found,
        _greatest(found.values(), lambda each: abs(each.luck or 0.0)),
        _greatest(errors, lambda each: each.loss),
    )


def result_of(match: Match) -> float | None:
    """Return White's result as `totals_of` takes it; None for a void or unfinished match."""
    if match.outcome in ("", MatchCause.VOID.value):
        return None
    if match.rules["length"] is None:
        white, black = match.snapshot["score"]
        return float(white - black)
    return {"white": 1.0, "black": 0.0}.get(match.winner, 0.5)


def _greatest(found: Iterable[Finding], size: Callable[[Finding], float]) -> list[Finding]:
    """Return the MOST findings of the greatest size, without those of size 0."""
    return sorted((each for each in found if size(each)), key=lambda each: -size(each))[:MOST]


def _moves(text: str) -> list[list[int]]:
    return [[step.source, step.target] for step in play_from_text(text)]


def _without(moves: list[list[int]], others: list[list[int]]) -> list[list[int]]:
    """Return the moves without the others; each of the others removes one equal move."""
    left = list(others)
    rest = []
    for move in moves:
        if move in left:
            left.remove(move)
        else:
            rest.append(move)
    return rest
