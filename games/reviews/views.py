"""Pages of a match step by step, with its review."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.shared.refusals import Refused
from games import selectors
from games.access import account, find, is_open
from games.board_svg import Drawing
from games.engine.formats.json_export import proof_view
from games.engine.rules import Variant
from games.engine.sides import Side
from games.models import Match, Review
from games.reviews import queue, report, totals
from games.reviews.chart import Chart, chart_of
from games.reviews.playback import (
    Playback,
    games_of,
    play_back,
    record_of,
    rows_of,
    seats_of,
    thrown_before,
)
from games.reviews.report import Finding, ReviewReport


@never_cache
@require_safe
def review(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a match step by step, one game at a time; a running match only to its players."""
    found, viewpoint = find(request, public_id)
    if not is_open(found, viewpoint):
        return redirect("games:match", public_id)
    games = games_of(found)
    number = _number(request.GET.get("game", ""), 1)
    if games and not 1 <= number <= len(games):
        raise Http404
    playback = play_back(found, number)
    context = {
        **_state_of(request, found, viewpoint.side),
        **_steps_of(request, found, viewpoint.side, playback),
        "seats": seats_of(found),
        "games": games,
        "number": number,
        "boot": account(request),
        "proof": proof_view(playback.end.proof),
        "record": record_of(found, playback.end),
    }
    return render(request, "games/review/review.html", context)


@never_cache
@require_safe
def review_state(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the review's progress: the part of the page that polls."""
    found, viewpoint = find(request, public_id)
    if not is_open(found, viewpoint):
        raise Http404
    context = _state_of(request, found, viewpoint.side)
    return render(request, "games/review/_state.html", context)


@require_POST
def ask_review(request: HttpRequest, public_id: str) -> HttpResponse:
    """Request a review. If refused, the page shows why instead of the button."""
    found, _viewpoint = find(request, public_id)
    actor = selectors.actor_of(request.user, request.session)
    try:
        queue.ask(found.public_id, actor, timezone.now())
    except Refused as refused:
        if refused.code == "not_seated":
            raise Http404 from None
    return redirect("games:review", public_id)


def _state_of(request: HttpRequest, match: Match, side: Side | None) -> dict[str, Any]:
    """Return the context of `games/review/_state.html`; `busy`: another match under review."""
    review = Review.objects.filter(match=match).defer("judgments").first()
    may_ask = match.is_finished and side is not None
    busy = None
    if may_ask and (review is None or not (review.is_open or review.is_done)):
        busy = selectors.review_under_way(selectors.actor_of(request.user, request.session))
    return {"match": match, "side": side, "review": review, "may_ask": may_ask, "busy": busy}


def _steps_of(
    request: HttpRequest, match: Match, side: Side | None, playback: Playback
) -> dict[str, Any]:
    """Return the context of the steps, their findings, and the step shown."""
    review = selectors.review_of(match)
    found = report.report_of(match, review, playback) if review else None
    steps, near = playback.steps, side or Side.WHITE
    at = min(_number(request.GET.get("step", ""), 0), max(0, len(steps) - 1))
    shown = found.steps.get(at) if found else None
    chart = _chart(found, playback, near) if found else None
    rows = [
        row | (found.row(row) if found else {"errors": [], "luck": None}) for row in rows_of(steps)
    ]
    return {
        "steps": steps,
        "rows": rows,
        "shown_row": next((row for row in rows if row["at"] >= at), None),
        "at": at,
        "drawing": _draw(match, playback, at, near, shown) if steps else None,
        "found": found,
        "jumps": _jumps(found, playback, at),
        "arrows": {at: each.arrows for at, each in found.steps.items()} if found else {},
        "errors": [[each.address.game, each.address.at] for each in found.errors] if found else [],
        "chart": chart,
        "columns": _columns(match, found, near) if found else [],
        "cursor": chart.x(at) if chart else "",
        "grades": {"doubtful": totals.DOUBTFUL, "mistake": totals.BAD, "blunder": totals.VERY_BAD},
    }


def _draw(match: Match, playback: Playback, at: int, near: Side, shown: Finding | None) -> Drawing:
    """Draw the board after the step; at an error before it, with both plays marked."""
    step, variant = playback.steps[at], Variant(match.variant)
    is_error = shown is not None and bool(shown.arrows["good"])
    view = playback.steps[at - 1]["view"] if is_error and at else step["view"]
    drawing = Drawing(view, variant, near)
    dice = thrown_before(playback.steps, at + 1)
    if step["kind"] == "opening" and dice:
        drawing.place_opening_dice(*dice)
    elif step["kind"] in ("roll", "play") and dice:
        drawing.place_dice(dice, Side(step["side"]), step["kind"] == "play" and not is_error)
    if is_error and shown is not None:
        for kind, moves in shown.arrows.items():
            drawing.add_arrows(moves, Side(step["side"]), kind)
    return drawing


def _jumps(found: ReviewReport | None, playback: Playback, at: int) -> dict[str, Any]:
    """Return the addresses of neighboring steps and of the nearest errors in any game."""
    here = (playback.number, at)
    places = [(each.address.game, each.address.at) for each in found.errors] if found else []
    return {
        "back": max(0, at - 1),
        "forward": min(at + 1, max(0, len(playback.steps) - 1)),
        "last": max(0, len(playback.steps) - 1),
        "error_before": max((place for place in places if place < here), default=None),
        "error_after": min((place for place in places if place > here), default=None),
    }


def _chart(found: ReviewReport, playback: Playback, near: Side) -> Chart | None:
    steps = {step["seq"]: at for at, step in enumerate(playback.steps)}
    grades = {at: each.grade for at, each in found.steps.items()}
    return chart_of(found.totals.points, steps, grades, near)


def _columns(match: Match, found: ReviewReport, near: Side) -> list[dict[str, Any]]:
    """Return the totals of both sides, the reader's first, with their luck-adjusted results."""
    white = found.totals.adjusted
    black = None
    if white is not None:
        black = 1 - white if match.rules["length"] else -white
    return [
        {
            "side": side.value,
            "totals": found.totals.of(side.value),
            "adjusted": white if side is Side.WHITE else black,
        }
        for side in (near, near.other)
    ]


def _number(text: str, default: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 5 else default
