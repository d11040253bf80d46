"""The page that shows one table of the running round and, when that match is over, another one.

Spectators see the live table. Browsers without scripts, and players of that table, get a still
picture of its board, which is fetched again and again. While no table is in play, the page keeps
asking for one.
"""

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import PUBLIC_ID_LENGTH
from accounts.shared.rate_limits import limited
from games.reviews.playback import seats_of
from games.selectors import actor_of, viewpoint_of
from games.views import table_page
from tournaments import states
from tournaments.models import Tournament
from tournaments.pages.tv import best_table, shown_table
from tournaments.views.lookup import public_tournament

# Seconds for which each process keeps the still picture in its cache.
KEPT_S = 3
# Query parameter of the page with the still picture.
STILL = "still"
# Seconds after which a browser without scripts loads the page again.
STILL_S = 15


@never_cache
@require_safe
@limited("list_pages")
def tv(request: HttpRequest, public_id: str) -> HttpResponse:
    found = public_tournament(public_id)
    is_running, is_still = found.state == states.RUNNING, STILL in request.GET
    best = best_table(found) if is_running and not is_still else None
    viewpoint = viewpoint_of(best, actor_of(request.user, request.session)) if best else None
    # A live page of a player would connect as that player: so only spectators get one.
    if best and viewpoint and viewpoint.side is None:
        template = "tournaments/tv_live.html"
        return table_page(request, best, viewpoint, template, tournament=found)
    context = {"tournament": found, "part": _part(found, "")}
    response = render(request, "tournaments/tv.html", context)
    if is_still and is_running:
        response["Refresh"] = STILL_S
    return response


@never_cache
@require_safe
@limited("lobby_lists")
def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Render the still picture alone.

    `seen` is the public id of the match that the page shows, until that match is over. A page that
    waits for a table sends none; once there is one, the answer makes the page load again.
    """
    found = public_tournament(public_id)
    seen = request.GET.get("seen", "")[:PUBLIC_ID_LENGTH]
    response = HttpResponse(_part(found, seen))
    if found.state == states.RUNNING and not seen and best_table(found) is not None:
        response["HX-Refresh"] = "true"
    return response


def _part(tournament: Tournament, seen: str) -> SafeString:
    seen = seen if seen.isalnum() and seen.isascii() else ""
    key = f"tournaments:tv:{tournament.public_id}:{seen}:{get_language()}"
    html = caches["pages"].get(key)
    if html is None:
        shown = shown_table(tournament, seen) if tournament.state == states.RUNNING else None
        seats = seats_of(shown.match) if shown else []
        context = {"tournament": tournament, "shown": shown, "seats": seats}
        html = str(render_to_string("tournaments/_tv.html", context))
        caches["pages"].set(key, html, KEPT_S)
    return mark_safe(html)
