"""The page that shows one table of the running round, and goes on to the next by itself."""

from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.shared.rate_limits import limited
from games.reviews.playback import seats_of
from tournaments import states
from tournaments.models import Tournament
from tournaments.pages.tv import shown_table

# Seconds for which a process shows all viewers the same board.
KEPT_S = 3
ID_LENGTH = 12


@never_cache
@require_safe
@limited("list_pages")
def tv(request: HttpRequest, public_id: str) -> HttpResponse:
    found = _find(public_id)
    context = {"tournament": found, "part": _part(found, "")}
    return render(request, "tournaments/tv.html", context)


@never_cache
@require_safe
@limited("lobby_lists")
def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Render the board alone; the page asks for the table `seen` until that is over."""
    return HttpResponse(_part(_find(public_id), request.GET.get("seen", "")[:ID_LENGTH]))


def _find(public_id: str) -> Tournament:
    hidden = (states.PROPOSED, states.REJECTED)
    found = Tournament.objects.filter(public_id=public_id).exclude(state__in=hidden).first()
    if found is None:
        raise Http404
    return found


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
