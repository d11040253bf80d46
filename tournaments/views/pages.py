"""Pages of tournaments: lists, one tournament, entering and withdrawing, files."""

from typing import Any
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.rate_limits import limited
from accounts.shared.refusals import Refused, marked
from games.stakes.escrow import stakable_credits
from tournaments import states
from tournaments.models import Tournament
from tournaments.pages import lists, texts
from tournaments.pages.calendar import calendar_file
from tournaments.pages.expected import collisions
from tournaments.pages.sheet import Sheet
from tournaments.services import entering

PAGE_LENGTH = 20  # tournaments
CONFIRMED = "1"  # the only value of `confirmed` that enters or withdraws
HIDDEN = (states.PROPOSED, states.REJECTED)


def _viewer(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


@never_cache
@require_safe
@limited("list_pages")
def tournaments(request: HttpRequest, which: str = lists.NEAREST) -> HttpResponse:
    """Show one of the lists, searched by name."""
    if which not in lists.LISTS:
        raise Http404
    query = request.GET.get("q", "")[: lists.QUERY_LENGTH].replace("\0", "").strip()
    viewer = _viewer(request)
    page = Paginator(lists.listed(which, viewer, query), PAGE_LENGTH).get_page(
        request.GET.get("page")
    )
    context = {
        "which": which,
        "list": lists.LISTS[which],
        "lists": lists.LISTS.items(),
        "query": query,
        "page": page,
        "rows": lists.with_counts(list(page)),
    }
    return render(request, "tournaments/list.html", context)


@never_cache
@require_safe
@limited("list_pages")
def tournament(request: HttpRequest, public_id: str) -> HttpResponse:
    return render(request, "tournaments/tournament.html", _context(request, public_id))


@never_cache
@require_safe
@limited("list_pages")
def live(request: HttpRequest, public_id: str) -> HttpResponse:
    """Render what changes by itself; 204 when the page shows it already."""
    sheet = _sheet(request, public_id)
    if request.GET.get("seen") == sheet.stamp:
        return HttpResponse(status=204)
    return render(request, "tournaments/_live.html", _context(request, public_id, sheet))


@never_cache
@require_POST
@login_required
def enter(request: HttpRequest, public_id: str) -> HttpResponse:
    """Enter; without `confirmed`, show the fee, the prize and what it collides with first."""
    return _decide(request, public_id, "enter")


@never_cache
@require_POST
@login_required
def withdraw(request: HttpRequest, public_id: str) -> HttpResponse:
    """Withdraw before the start; without `confirmed`, ask first."""
    return _decide(request, public_id, "withdraw")


def _decide(request: HttpRequest, public_id: str, what: str) -> HttpResponse:
    member = current_user(request)
    sheet = _sheet(request, public_id)
    if request.POST.get("confirmed") != CONFIRMED:
        context = {
            "sheet": sheet,
            "tournament": sheet.tournament,
            "what": what,
            "collisions": collisions(sheet.tournament, sheet.entrant_count, member),
            "missing": max(0, sheet.tournament.fee_credits - stakable_credits(member.pk)),
        }
        return render(request, "tournaments/confirm.html", context)
    answer = redirect("tournaments:tournament", public_id)
    try:
        if what == "enter":
            entering.enter(public_id, member, CLOCK.now())
            messages.success(request, _("You have entered. Be here when it starts."))
        elif entering.withdraw(public_id, member, CLOCK.now()):
            messages.success(request, _("You have withdrawn."))
    except Refused as refusal:
        messages.error(request, texts.of_error(refusal))
        return marked(answer, refusal.code)
    return answer


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
    """Return the file of the draw, from the draw on."""
    sheet = _sheet(request, public_id)
    if not sheet.tournament.secret:
        raise Http404
    return JsonResponse(sheet.draw)


@never_cache
@require_safe
def alerts(request: HttpRequest) -> HttpResponse:
    """Render the timers of the member's tournaments, for a page after a nudge."""
    return render(request, "tournaments/_alerts.html")


def _sheet(request: HttpRequest, public_id: str) -> Sheet:
    found = Tournament.objects.filter(public_id=public_id).exclude(state__in=HIDDEN).first()
    if found is None:
        raise Http404
    return Sheet(found, _viewer(request))


def _context(request: HttpRequest, public_id: str, sheet: Sheet | None = None) -> dict[str, Any]:
    sheet = sheet or _sheet(request, public_id)
    return {"sheet": sheet, "tournament": sheet.tournament}
