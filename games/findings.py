"""A finished review as the page of its match shows it.

What the judge said of the steps of one game, the lists that lead through the whole match, and the
graph of the winning chances. Judgments are those of `games.ai.judge.judgments`, by seq.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from games import sheets
from games.engine.moves import play_from_text
from games.engine.state import MatchCause
from games.models import Match, Review
from games.reviewing import Place, Playback

Judgment = dict[str, Any]

# Of each list of what mattered most.
MOST = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found at one step; `grade` is the name of its error, empty when there is none."""

    seq: int
    place: Place
    judgment: Judgment
    grade: str

    @property
    def loss(self) -> float:
        return float(self.judgment.get("loss", 0.0))

    @property
    def luck(self) -> float | None:
        """None where nothing was rolled."""
        return self.judgment.get("luck")

    @property
    def is_decision(self) -> bool:
        """Whether it counts: neither forced nor a double that nobody would think of."""
        return sheets.counts(self.judgment)

    @property
    def arrows(self) -> dict[str, list[list[int]]]:
        """The better play and, where it is another, the one made; in the mover's numbers."""
        if self.judgment["kind"] != "play" or not self.grade:
            return {"good": [], "bad": []}
        good, bad = (_moves(self.judgment[name]) for name in ("best", "played"))
        return {"good": good, "bad": _without(bad, good)}


@dataclass(frozen=True, slots=True)
class Findings:
    """`steps` are of the game on the page, by step; the rest is of the whole match."""

    totals: sheets.Totals
    steps: dict[int, Finding]
    errors: list[Finding]
    lucky: list[Finding]
    worst: list[Finding]

    def row(self, row: dict[str, Any]) -> dict[str, Any]:
        """What the list of moves says of one of its rows (reviewing.rows_of)."""
        found = [each for each in self.steps.values() if each.seq in row["seqs"]]
        return {
            "errors": [each for each in found if each.grade],
            "luck": next((each.luck for each in found if each.luck is not None), None),
        }


def grade_of(judgment: Judgment) -> str:
    """How bad an error is; the page says from where on (`sheets`)."""
    if not sheets.counts(judgment):
        return ""
    loss = judgment["loss"]
    if loss >= sheets.VERY_BAD:
        return "blunder"
    if loss >= sheets.BAD:
        return "mistake"
    return "doubtful" if loss >= sheets.DOUBTFUL else ""


def findings_of(match: Match, review: Review, playback: Playback) -> Findings:
    """Of a review that is done."""
    judged = sorted((int(seq), judgment) for seq, judgment in review.judgments.items())
    found = [
        Finding(seq, playback.places[seq], judgment, grade_of(judgment))
        for seq, judgment in judged
        if seq in playback.places
    ]
    errors = [each for each in found if each.grade]
    return Findings(
        sheets.totals(judged, result_of(match), match.rules["length"]),
        {each.place.at: each for each in found if each.place.game == playback.number},
        errors,
        _first(found, lambda each: abs(each.luck or 0.0)),
        _first(errors, lambda each: each.loss),
    )


def result_of(match: Match) -> float | None:
    """What White got, as `sheets.totals` wants it; None where the match counts for nothing."""
    if match.outcome in ("", MatchCause.VOID.value):
        return None
    if match.rules["length"] is None:
        white, black = match.snapshot["score"]
        return float(white - black)
    return {"white": 1.0, "black": 0.0}.get(match.winner, 0.5)


def _first(found: Iterable[Finding], size: Callable[[Finding], float]) -> list[Finding]:
    """The greatest few, as far as there is anything to them."""
    return sorted((each for each in found if size(each)), key=lambda each: -size(each))[:MOST]


def _moves(text: str) -> list[list[int]]:
    return [[step.source, step.target] for step in play_from_text(text)]


def _without(moves: list[list[int]], others: list[list[int]]) -> list[list[int]]:
    """A move that both plays make is drawn once."""
    left = list(others)
    rest = []
    for move in moves:
        if move in left:
            left.remove(move)
        else:
            rest.append(move)
    return rest
