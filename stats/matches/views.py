"""The pages of a member's statistics and of the matches behind each number."""

from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.selectors import find_member
from accounts.shared.database_clock import CLOCK
from accounts.shared.rate_limits import limited
from games.models import Match
from games.selectors import with_void_actions
from stats.keyset import page_of
from stats.matches.forms import MatchesForm, StatisticsForm
from stats.matches.ledger import credited
from stats.matches.totals import record_of, statistics_of

PAGE_LENGTH = 30  # matches


@require_safe
@limited("list_pages")
def statistics(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show sums over a member's matches; other readers see only those over public matches."""
    person = _member(public_id)
    is_oneself = person == request.user
    if not is_oneself and not person.profile.shows_record:
        return render(request, "stats/hidden.html", {"person": person}, status=403)
    form = StatisticsForm(request.GET)
    chosen = form.filter_of(person, is_oneself=is_oneself, now=CLOCK.now())
    context = {
        "person": person,
        "is_oneself": is_oneself,
        "form": form,
        "statistics": statistics_of(chosen),
        "since": chosen.since,
        "credits": credited(person.pk, chosen.since) if is_oneself else [],
    }
    return render(request, "stats/matches/statistics.html", context)


@require_safe
@limited("list_pages")
def matches(request: HttpRequest, public_id: str) -> HttpResponse:
    """List a member's finished matches; other readers see only the public ones."""
    person = _member(public_id)
    is_oneself = person == request.user
    if not is_oneself and not person.profile.shows_record:
        return render(request, "stats/hidden.html", {"person": person}, status=403)
    form = MatchesForm(request.GET)
    chosen = form.filter_of(person, is_oneself=is_oneself, now=CLOCK.now())
    played = with_void_actions(Match.objects.prefetch_related("seats__user").defer("snapshot"))
    rows = chosen.rows.prefetch_related(Prefetch("match", played))
    context = {
        "person": person,
        "is_oneself": is_oneself,
        "form": form,
        "total": record_of(chosen),
        "page": page_of(rows, request.GET, PAGE_LENGTH, "finished_at"),
    }
    return render(request, "stats/matches/matches.html", context)


def _member(public_id: str) -> User:
    person = find_member(public_id)
    if person is None or person.closed_at:
        raise Http404
    return person
