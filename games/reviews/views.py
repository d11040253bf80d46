"""Pages of a match step by step, with its review."""

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.shared import rate_limits
from accounts.shared.database_clock import CLOCK
from accounts.shared.refusals import Refused
from games import selectors
from games.access import account_boot, find, is_open
from games.ai.judge.grades import BLUNDER, DOUBTFUL, MISTAKE
from games.archive.fold_slots import fold_slot, limited, slot
from games.board_svg import Drawing
from games.engine.formats.json_export import proof_view
from games.engine.rules import Variant
from games.engine.sides import Side
from games.models import Match, Review
from games.reviews import queue, stored
from games.reviews.chart import Chart, chart_of
from games.reviews.identifiers import FORMS
from games.reviews.parts import parts_of
from games.reviews.playback import Step, games_of, record_of, rows_of, seats_of, thrown_before
from games.reviews.report import Finding
from games.reviews.stored import GameReport

LIMIT = "review"  # key of ACCOUNT_RATE_LIMITS, with guest_ before it for guests


@never_cache
@require_safe
@limited
def review(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a match step by step, one game at a time; a running match only to its players."""
    found, viewpoint = find(request, public_id)
    if not is_open(found, viewpoint):
        return redirect("games:match", public_id)
    games = games_of(found)
    number = _number(request.GET.get("game", ""), 1)
    if not 1 <= number <= max(1, len(games)):
        raise Http404
    context = _state_context(request, found, viewpoint.side)
    slot_to_fold = partial(fold_slot, request)
    steps, report = stored.steps_of(found, number, slot_to_fold), None
    if context["review"] is not None and context["review"].is_done:
        report = stored.game_report_of(found, number, slot_to_fold)
    context["number"] = number
    context |= {
        **_steps_context(request, found, viewpoint.side, number, steps, report),
        "seats": seats_of(found),
        "games": games,
        "boot": account_boot(request),
        "proof": proof_view(found.state.proof),
        "record": record_of(found, found.state),
    }
    near = viewpoint.side or Side.WHITE
    context["parts"] = parts_of(found, near, context, slot) if games else {}
    return render(request, "games/review/review.html", context)


@never_cache
@require_safe
def review_state(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the review's progress: the part of the page that polls."""
    found, viewpoint = find(request, public_id)
    if not is_open(found, viewpoint):
        raise Http404
    context = _state_context(request, found, viewpoint.side)
    return render(request, "games/review/_state.html", context)


@require_POST
def ask_review(request: HttpRequest, public_id: str) -> HttpResponse:
    """Request a review. If refused, the page shows why instead of the button."""
    found, viewpoint = find(request, public_id)
    if viewpoint.side is None:
        raise Http404
    if limit := rate_limits.count_start(request, LIMIT):
        return rate_limits.refuse_playing(request, limit)
    actor = selectors.actor_of(request.user, request.session)
    try:
        queue.ask(found.public_id, actor, CLOCK.now())
    except Refused as refused:
        if refused.code == "not_seated":
            raise Http404 from None
    return redirect("games:review", public_id)


def _state_context(request: HttpRequest, match: Match, side: Side | None) -> dict[str, Any]:
    """Return the context of `games/review/_state.html`.

    `busy` is the match with the visitor's open review, which keeps them from requesting another.
    """
    review = Review.objects.filter(match=match).defer("judgments").first()
    may_ask = match.is_finished and side is not None
    busy = None
    if may_ask and (review is None or review.may_be_requested):
        busy = selectors.match_under_review(selectors.actor_of(request.user, request.session))
    return {"match": match, "side": side, "review": review, "may_ask": may_ask, "busy": busy}


def _steps_context(
    request: HttpRequest,
    match: Match,
    side: Side | None,
    number: int,
    steps: list[Step],
    report: GameReport | None,
) -> dict[str, Any]:
    """Return the context of the steps, their findings, and the step shown."""
    near = side or Side.WHITE
    at = min(_number(request.GET.get("step", ""), 0), max(0, len(steps) - 1))
    shown = report.steps.get(at) if report else None
    chart = _chart(report, steps, near) if report else None
    rows = rows_of(steps)
    if report:
        rows = report.rows(rows)
    return {
        "steps": steps,
        "rows": rows,
        "shown_row": next((row for row in rows if row["at"] >= at), None),
        "at": at,
        "drawing": _draw(match, steps, at, near, shown) if steps else None,
        **_identifiers(match, steps, at, shown),
        "report": report,
        "jumps": _jumps(report, steps, number, at),
        "arrows": {at: each.arrows for at, each in report.steps.items()} if report else {},
        "errors": [[each.game, each.at] for each in report.errors] if report else [],
        "chart": chart,
        "columns": _columns(match, report, near) if report else [],
        "cursor": chart.x(at) if chart else "",
        "grades": {"doubtful": DOUBTFUL, "mistake": MISTAKE, "blunder": BLUNDER},
    }


def _identifiers(match: Match, steps: list[Step], at: int, shown: Finding | None) -> dict[str, Any]:
    """Return the identifiers of the drawn position, by the forms that the variant has."""
    forms = ["text"] if match.variant == Variant.LONG else list(FORMS)
    found = steps[_drawn(at, shown)]["identifiers"] if steps else {}
    identifiers = {form: found.get(form, "") for form in forms}
    return {"identifiers": identifiers, "has_identifier": any(identifiers.values())}


def _is_wrong_play(shown: Finding | None) -> bool:
    return shown is not None and bool(shown.arrows["good"])


def _drawn(at: int, shown: Finding | None) -> int:
    """Return the step whose position is drawn: the one before a wrong play, else the step."""
    return at - 1 if at and _is_wrong_play(shown) else at


def _draw(match: Match, steps: list[Step], at: int, near: Side, shown: Finding | None) -> Drawing:
    """Draw the board after the step; for a wrong play, the one before it with both plays marked."""
    step, variant = steps[at], Variant(match.variant)
    is_wrong_play = _is_wrong_play(shown)
    view = steps[_drawn(at, shown)]["view"]
    drawing = Drawing(view, variant, near)
    dice = thrown_before(steps, at + 1)
    if step["kind"] == "opening" and dice:
        drawing.place_opening_dice(*dice)
    elif step["kind"] in ("roll", "play") and dice:
        drawing.place_dice(dice, Side(step["side"]), step["kind"] == "play" and not is_wrong_play)
    if is_wrong_play and shown is not None:
        for kind, moves in shown.arrows.items():
            drawing.add_arrows(moves, Side(step["side"]), kind)
    return drawing


def _jumps(report: GameReport | None, steps: list[Step], number: int, at: int) -> dict[str, Any]:
    """Return the addresses of neighboring steps and of the nearest errors in any game."""
    here = (number, at)
    places = [(each.game, each.at) for each in report.errors] if report else []
    last = max(0, len(steps) - 1)
    return {
        "back": max(0, at - 1),
        "forward": min(at + 1, last),
        "last": last,
        "error_before": max((place for place in places if place < here), default=None),
        "error_after": min((place for place in places if place > here), default=None),
    }


def _chart(report: GameReport, steps: list[Step], near: Side) -> Chart | None:
    grades = {at: each.grade for at, each in report.steps.items()}
    by_seq = {step["seq"]: at for at, step in enumerate(steps)}
    return chart_of(report.totals.points, by_seq, grades, near)


def _columns(match: Match, report: GameReport, near: Side) -> list[dict[str, Any]]:
    """Return the totals of both sides, the reader's first, with their luck-adjusted results."""
    white = report.totals.adjusted
    black = None
    if white is not None:
        black = 1 - white if match.rules["length"] else -white
    return [
        {
            "side": side.value,
            "totals": report.totals.of(side.value),
            "adjusted": white if side is Side.WHITE else black,
        }
        for side in (near, near.other)
    ]


def _number(text: str, default: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 5 else default
