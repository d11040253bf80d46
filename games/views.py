"""The table page."""

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


@never_cache
@require_safe
def match(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the table; of a finished match, its last position."""
    found, viewpoint = find(request, public_id)
    return table_page(request, found, viewpoint)


def table_page(
    request: HttpRequest,
    found: Match,
    viewpoint: Viewpoint,
    template: str = "games/table/table.html",
    **more: Any,
) -> HttpResponse:
    """Render a match as the visitor sees it; `more` is for a template that extends the table's."""
    public_id = found.public_id
    side = viewpoint.side.value if viewpoint.side else None
    boot = {
        "id": public_id,
        "ws": f"/ws/match/{public_id}/",
        "variant": found.variant,
        "length": found.match_rules.length,
        "lang": get_language(),
        "side": side,
        "urls": {
            name: reverse(f"games:{name}", args=[public_id])
            for name in ("match", "review", "export_json", "export_mat", "export_text")
        }
        | {"after": _after(found), "table_choices": reverse("people:table_choices")}
        | ({"again": reverse("games:again", args=[public_id])} if found.policy.has_bot else {})
        | ({"anew": reverse("lobby:again", args=[public_id])} if _may_be_repeated(found) else {})
        | ({"rating": reverse("stats:match", args=[public_id])} if found.policy.is_rated else {}),
        "coach": {"reasons": reason_texts()} if found.policy.is_coached else None,
        "leaving_resigns": found.policy.leaving_resigns,
        **account_boot(request),
    }
    context = {"match": found, "boot": boot, "seats": _seats(found, viewpoint.side), **more}
    response = render(request, template, context)
    visitors.ensure_cookie(request, response)  # the socket asks who a spectator is
    return response


def _seats(match: Match, side: Side | None) -> dict[str, Seat]:
    """Return the seats below and above the board; spectators see White below."""
    near = side or Side.WHITE
    seats = match.seats_by_side
    return {"own": seats[near], "enemy": seats[near.other]}


def _may_be_repeated(match: Match) -> bool:
    """Return whether its terms may be offered to somebody new: people agreed on the match."""
    return match.policy.rematch_time is not None


def _after(match: Match) -> str:
    """Return where a player goes who leaves the table: the page on which such matches begin."""
    return reverse("games:training") if match.policy.has_bot else reverse("lobby:lobby")
