"""A review as comment lines for the text exports of a match, in English like those formats."""

from collections.abc import Iterator
from typing import Any

from games.engine.sides import Side
from games.models import Review
from games.reviews import totals
from games.reviews.report import Finding, ReviewReport


def comments_of(review: Review, report: ReviewReport) -> Iterator[str]:
    """Yield lines: the judge, both sides' figures, then every error in the order of the match."""
    judge = f"{review.judge['net']} net {review.judge.get('sha256', '')[:8]}".strip()
    yield f'; [Annotator "5Stars Gammon, {judge}, {review.plies}-ply"]'
    for side in Side:
        yield f"; {side.value.capitalize()}: {_figures(report.totals.of(side.value))}"
    for each in report.errors:
        yield f"; {_error(each)}"


def _figures(side: totals.SideTotals) -> str:
    rate = "-" if side.pr is None else f"{side.pr:.1f}"
    counts = f"{side.doubtful} doubtful, {side.mistakes} mistakes, {side.blunders} blunders"
    return f"PR {rate}, {side.decisions} decisions, {counts}, luck {side.luck:+.2f} points"


def _error(each: Finding) -> str:
    judgment = each.judgment
    done, best = judgment.get("played") or judgment["done"], judgment["best"]
    words = f"game {each.address.game}, {judgment['side']}, {_decision(judgment)}: {done}"
    return f"{words}: {each.grade}, {-each.loss:.3f}; better: {best}"


def _decision(judgment: dict[str, Any]) -> str:
    """Name what was decided: the roll to play, `cube` or `resignation`."""
    if judgment["kind"] == "cube":  # also a roll without a double, whose judgment has dice
        return "resignation" if judgment["done"] in totals.ANSWERS else "cube"
    return "".join(map(str, judgment["dice"]))
