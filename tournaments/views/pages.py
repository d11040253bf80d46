"""Pages of tournaments: lists, one tournament, entering and withdrawing, files."""

from hashlib import sha256
from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import caches
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.shared.current_user import current_user, viewer_of
from accounts.shared.database_clock import CLOCK
from accounts.shared.rate_limits import limited
from accounts.shared.refusals import Refused, marked
from games.archive.fold_slots import limited as limited_folds
from games.archive.fold_slots import slot
from games.exports.result_picture import SIZE
from games.stakes import own_limits
from tournaments.exports import share_picture
from tournaments.models import Tournament
from tournaments.pages import lists, season, texts
from tournaments.pages.calendar import calendar_file
from tournaments.pages.expected import collisions
from tournaments.pages.sheet import Sheet
from tournaments.services import entering, reminders
from tournaments.services.season import LEAST_ENTRANTS
from tournaments.views.lookup import public_tournament
from wallet.limits.texts import Objection, objection_of
from wallet.selectors import funds_of

# Seconds for which our cache keeps a picture, and for which other sites may keep it: less, since
# the number of players on it grows.
KEPT_S, FRESH_S = 24 * 3600, 600
# Part of the cache key of a picture; raise it whenever the drawing changes.
DRAWN = 1
PAGE_LENGTH = 20  # tournaments
CONFIRMED = "1"  # the only value of `confirmed` that enters or withdraws


@never_cache
@require_safe
@limited("list_pages")
def tournaments(request: HttpRequest, which: str = lists.NEAREST) -> HttpResponse:
    """Show one page of a list, searched by name."""
    if which not in lists.LISTS:
        raise Http404
    query = request.GET.get("q", "")[: lists.QUERY_LENGTH].strip()
    viewer = viewer_of(request)
    page = Paginator(lists.listed(which, viewer, query), PAGE_LENGTH).get_page(
        request.GET.get("page")
    )
    rows = lists.with_details(list(page))
    if which == lists.NEAREST:
        rows = lists.with_later_dates(rows)
    context = {
        "which": which,
        "list": lists.LISTS[which],
        "lists": lists.LISTS.items(),
        "query": query,
        "page": page,
        "rows": rows,
    }
    return render(request, "tournaments/list.html", context)


@never_cache
@require_safe
@limited("list_pages")
def season_leaders(request: HttpRequest) -> HttpResponse:
    """Show the leaderboard of one season, or of all together, with the viewer's own place."""
    known = season.choices(CLOCK.now())
    asked = request.GET.get("season", known[0].code)
    chosen = next((each for each in known if each.code == asked), known[0])
    viewer = viewer_of(request)
    context = {
        "choices": known,
        "chosen": chosen,
        "rows": season.rows_of(chosen.code),
        "own": season.own_row(viewer, chosen.code) if viewer else None,
        "least": LEAST_ENTRANTS,
    }
    return render(request, "tournaments/season.html", context)


@never_cache
@require_safe
@limited("list_pages")
def tournament(request: HttpRequest, public_id: str) -> HttpResponse:
    context = _context(request, public_id)
    for name, page in (("address", "tournament"), ("picture", "picture")):
        path = reverse(f"tournaments:{page}", args=[public_id])
        context[name] = request.build_absolute_uri(path)
    context["width"], context["height"] = map(str, SIZE)
    return render(request, "tournaments/tournament.html", context)


@never_cache
@require_safe
@limited("list_pages")
def live(request: HttpRequest, public_id: str) -> HttpResponse:
    """Render the refreshed parts of the page; answer 204 if the page shows them already."""
    sheet = _sheet(request, public_id)
    if request.GET.get("seen") == sheet.stamp:
        return HttpResponse(status=204)
    return render(request, "tournaments/_live.html", _context(request, public_id, sheet))


@never_cache
@require_POST
@login_required
def enter(request: HttpRequest, public_id: str) -> HttpResponse:
    """Enter; without `confirmed`, first show the fee, the prize and tournaments that overlap."""
    return _change_entry(request, public_id, "enter")


@never_cache
@require_POST
@login_required
def withdraw(request: HttpRequest, public_id: str) -> HttpResponse:
    """Withdraw before the start; without `confirmed`, ask first."""
    return _change_entry(request, public_id, "withdraw")


def _objection(request: HttpRequest, tournament: Tournament) -> Objection | None:
    """Return the text about the member's own limit that forbids entering; None if none does."""
    member = current_user(request)
    found = own_limits.objection(member.pk, tournament.fee_credits, CLOCK.now())
    return objection_of(found, reverse("tournaments:tournament", args=[tournament.public_id]))


def _change_entry(request: HttpRequest, public_id: str, what: str) -> HttpResponse:
    """Enter or withdraw, as `what` says; without `confirmed`, show the page that asks first.

    The page does not ask if the services will refuse: once the tournament has begun, or if staff
    removed the member who wants to enter. Nor does it ask a member who has entered, or withdrawn,
    already.
    """
    member = current_user(request)
    sheet = _sheet(request, public_id)
    is_possible = sheet.is_open and not (what == "enter" and sheet.removal)
    answer = redirect("tournaments:tournament", public_id)
    if is_possible and request.POST.get("confirmed") != CONFIRMED:
        if (sheet.own is not None) != (what == "enter"):
            return _confirmation(request, sheet, member, what)
        _tell(request, is_entered=what == "enter")  # done in another tab: no second fee is due
        return answer
    try:
        if what == "enter":
            entering.enter(public_id, member, CLOCK.now())
            _tell(request, is_entered=True)
        elif entering.withdraw(public_id, member, CLOCK.now()):
            messages.success(request, _("You have withdrawn."))
        else:
            _tell(request, is_entered=False)
    except Refused as refusal:
        text_of = texts.of_error if what == "enter" else texts.of_withdrawal
        messages.error(request, text_of(refusal))
        return marked(answer, refusal.code)
    return answer


def _tell(request: HttpRequest, *, is_entered: bool) -> None:
    if is_entered:
        messages.success(request, _("You have entered. Be here when it starts."))
    else:
        messages.info(request, _("You are not entered in this tournament."))


def _confirmation(request: HttpRequest, sheet: Sheet, member: User, what: str) -> HttpResponse:
    context = {
        "sheet": sheet,
        "tournament": sheet.tournament,
        "what": what,
        "collisions": collisions(sheet.tournament, sheet.entrant_count, member),
        "objection": _objection(request, sheet.tournament) if what == "enter" else None,
        "missing": max(0, sheet.tournament.fee_credits - funds_of(member.pk).available),
    }
    return render(request, "tournaments/confirm.html", context)


@require_safe
@limited("list_pages")
def calendar(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the tournament as a calendar event."""
    sheet = _sheet(request, public_id)
    found = sheet.tournament
    zone = timezone.get_current_timezone()
    text = calendar_file(
        uid=f"{found.public_id}@{request.get_host()}",
        name=found.name,
        address=request.build_absolute_uri(
            reverse("tournaments:tournament", args=[found.public_id])
        ),
        starts_at=found.starts_at,
        ends_at=sheet.ends_at,
        zone=zone if isinstance(zone, ZoneInfo) else ZoneInfo("UTC"),
    )
    response = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{found.public_id}.ics"'
    return response


@require_safe
@limited("list_pages")
def draw(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the draw file; 404 before the draw."""
    sheet = _sheet(request, public_id)
    if not sheet.tournament.secret:
        raise Http404
    return JsonResponse(sheet.draw)


@require_safe
@limited_folds
def picture(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return the picture that messengers show beside a link to the tournament."""
    shown = _sheet(request, public_id).picture
    digest = sha256(repr((DRAWN, public_id, shown)).encode()).hexdigest()
    key = f"tournaments:picture:{digest}"
    png = caches["pictures"].get(key)
    if png is None:
        with slot():
            png = caches["pictures"].get(key) or share_picture.png_of(shown)
        caches["pictures"].set(key, png, KEPT_S)
    response = HttpResponse(png, content_type="image/png")
    response["Cache-Control"] = f"public, max-age={FRESH_S}"
    response["Cross-Origin-Resource-Policy"] = "cross-origin"  # other sites show it in previews
    response["Content-Disposition"] = f'inline; filename="5stars-{public_id}.png"'
    return response


@never_cache
@require_safe
def alerts(request: HttpRequest) -> HttpResponse:
    """Render the alerts about the member's tournaments; a page fetches them after a nudge."""
    return render(request, "tournaments/_alerts.html")


def _sheet(request: HttpRequest, public_id: str) -> Sheet:
    return Sheet(public_tournament(public_id), viewer_of(request), CLOCK.now())


def _context(request: HttpRequest, public_id: str, sheet: Sheet | None = None) -> dict[str, Any]:
    sheet = sheet or _sheet(request, public_id)
    if sheet.viewer is not None and sheet.own is not None:
        reminders.note_read(sheet.tournament, sheet.viewer.pk)
    return {"sheet": sheet, "tournament": sheet.tournament}
