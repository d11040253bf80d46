"""The table page."""

from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.sessions import visitors
from games.access import account_boot, find
from games.coach.reason_texts import reason_texts
from games.engine.sides import Side
from games.models import Match, Seat
from games.selectors import Viewpoint

# Pages and files to which the table of every match links.
_ALWAYS = ("match", "review", "export_json", "export_mat", "export_text")


@never_cache
@require_safe
def match(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the table; for a finished match, its last position."""
    found, viewpoint = find(request, public_id)
    return table_page(request, found, viewpoint)


def table_page(
    request: HttpRequest,
    found: Match,
    viewpoint: Viewpoint,
    template: str = "games/table/table.html",
    **more: Any,
) -> HttpResponse:
    """Render a match as the visitor sees it.

    `more` is added to the context, for a template that extends the table's.
    """
    boot = _boot(found, viewpoint.side) | account_boot(request)
    context = {"match": found, "boot": boot, "seats": _seats(found, viewpoint.side), **more}
    response = render(request, template, context)
    visitors.ensure_cookie(request, response)  # it identifies a spectator's socket
    return response


def _boot(match: Match, side: Side | None) -> dict[str, Any]:
    """Return the data with which the page's script begins."""
    no_start_after = match.policy.no_start_after
    return {
        "id": match.public_id,
        "ws": f"/ws/match/{match.public_id}/",
        "variant": match.variant,
        "length": match.match_rules.length,
        "lang": get_language(),
        "side": side.value if side else None,
        "urls": _urls(match),
        "coach": {"reasons": reason_texts()} if match.policy.is_coached else None,
        "leaving_resigns": match.policy.leaving_resigns,
        "no_start_ms": no_start_after and no_start_after // timedelta(milliseconds=1),
    }


def _urls(match: Match) -> dict[str, str]:
    names = {name: f"games:{name}" for name in _ALWAYS}
    if match.policy.has_bot:
        names["again"] = "games:again"
    if _may_be_repeated(match):
        names["anew"] = "lobby:again"
    if match.policy.is_rated:
        names["rating"] = "stats:match"
    if match.policy.is_of_tournament:
        names["tournament"] = "tournaments:after_match"
    urls = {key: reverse(name, args=[match.public_id]) for key, name in names.items()}
    return urls | {"after": _after(match), "table_choices": reverse("people:table_choices")}


def _seats(match: Match, side: Side | None) -> dict[str, Seat]:
    """Return the seats below and above the board; spectators see White below."""
    near = side or Side.WHITE
    seats = match.seats_by_side
    return {"own": seats[near], "enemy": seats[near.other]}


def _may_be_repeated(match: Match) -> bool:
    """Return whether a player may offer the same terms again: not for training or a tournament."""
    return match.policy.rematch_time is not None


def _after(match: Match) -> str:
    """Return the address to which a player leaves the table: the page where such matches begin."""
    if match.policy.is_of_tournament:
        return reverse("tournaments:of_match", args=[match.public_id])
    return reverse("games:training") if match.policy.has_bot else reverse("lobby:lobby")
