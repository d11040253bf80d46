"""The recap of a year: the member's own page, and the public one if they share it."""

from datetime import UTC, tzinfo

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import caches
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.rate_limits import limited
from accounts.times.zones import find_zone
from games.archive.fold_slots import limited as readers_limited
from games.archive.fold_slots import slot
from stats.models import SharedRecap
from stats.recap import picture as drawing
from stats.recap.facts import FIRST_YEAR, Recap, recap_of, years_of
from stats.services import sharing

# Seconds for which the site, and programs that fetch the picture, keep a copy of it.
KEPT_S = 3600


@never_cache
@require_safe
@login_required
def this_year(request: HttpRequest) -> HttpResponse:
    zone = _zone(current_user(request))
    return redirect("stats:recap_of_year", CLOCK.now().astimezone(zone).year)


@never_cache
@require_safe
@login_required
def recap(request: HttpRequest, year: int) -> HttpResponse:
    viewer = current_user(request)
    zone, now = _zone(viewer), CLOCK.now()
    if not FIRST_YEAR <= year <= now.astimezone(zone).year:
        raise Http404
    own = SharedRecap.objects.filter(user=viewer, year=year).first()
    context = {
        "person": viewer,
        "recap": recap_of(viewer.pk, year, zone),
        "years": years_of(viewer.pk, now, zone),
        "shared": own,
        "address": _address(request, own) if own else "",
        "is_oneself": True,
    }
    return render(request, "stats/recap/recap.html", context)


@require_POST
@login_required
def share(request: HttpRequest, year: int) -> HttpResponse:
    """Make the recap public, with the result in credits if the member wants that too."""
    viewer, now = current_user(request), CLOCK.now()
    if not FIRST_YEAR <= year <= now.astimezone(_zone(viewer)).year:
        raise Http404
    sharing.share(viewer.pk, year, "credits" in request.POST, now)
    messages.success(request, gettext("Everyone who has the link can see your year now."))
    return redirect("stats:recap_of_year", year)


@require_POST
@login_required
def hide(request: HttpRequest, year: int) -> HttpResponse:
    sharing.stop(current_user(request).pk, year)
    messages.success(request, gettext("The link no longer works."))
    return redirect("stats:recap_of_year", year)


@require_safe
@limited("list_pages")
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """Show a shared recap to anyone, with Open Graph tags for previews."""
    found = _shared(token)
    context = {
        "person": found.user,
        "recap": _recap(found),
        "shared": found,
        "address": _address(request, found),
        "picture": request.build_absolute_uri(reverse("stats:recap_picture", args=[token])),
        "width": str(drawing.SIZE[0]),
        "height": str(drawing.SIZE[1]),
    }
    return render(request, "stats/recap/shared_recap.html", context)


@require_safe
@readers_limited
def picture(request: HttpRequest, token: str) -> HttpResponse:
    found = _shared(token)
    # The member's language, not the reader's: programs that fetch previews have none.
    language = found.user.preferences.language or settings.LANGUAGE_CODE
    key = f"stats:recap:{found.pk}:{token}:{language}"
    png = caches["pictures"].get(key)
    if png is None:
        with slot(), override(language):
            png = caches["pictures"].get(key) or drawing.png_of(_recap(found))
        caches["pictures"].set(key, png, KEPT_S)
    response = HttpResponse(png, content_type="image/png")
    response["Cache-Control"] = f"public, max-age={KEPT_S}"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"  # other sites show it in previews
    response["Content-Disposition"] = f'inline; filename="5stars-{found.year}.png"'
    return response


def _shared(token: str) -> SharedRecap:
    recaps = SharedRecap.objects.filter(token=token, user__closed_at__isnull=True)
    found = recaps.select_related("user__profile", "user__preferences").first()
    if found is None:
        raise Http404
    return found


def _address(request: HttpRequest, found: SharedRecap) -> str:
    return request.build_absolute_uri(reverse("stats:shared_recap", args=[found.token]))


def _recap(found: SharedRecap) -> Recap:
    return recap_of(found.user_id, found.year, _zone(found.user))


def _zone(person: User) -> tzinfo:
    """Return the zone of the account, so that the year is the same for every reader."""
    return find_zone(person.preferences.time_zone) or UTC
