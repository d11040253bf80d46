"""The page of a member's achievements."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.selectors import find_member
from accounts.shared.rate_limits import limited
from games.models import Seat
from stats.achievements import selectors


@require_safe
@limited("list_pages")
def achievements(request: HttpRequest, public_id: str) -> HttpResponse:
    person = find_member(public_id)
    if person is None or person.closed_at:
        raise Http404
    is_oneself = person == request.user
    if not person.profile.shows_record and not is_oneself:
        return render(request, "stats/hidden.html", {"person": person}, status=403)
    reached = selectors.awards_of(person.pk)
    context = {
        "person": person,
        "is_oneself": is_oneself,
        "reached": reached,
        "open": selectors.open_to(reached),
        "own_matches": _own_matches(request, reached),
    }
    return render(request, "stats/achievements.html", context)


def _own_matches(request: HttpRequest, reached: list[selectors.ShownAward]) -> set[int]:
    """Return the ids of these achievements' matches in which the visitor played."""
    if not request.user.pk:
        return set()
    ids = [each.award.match_id for each in reached]
    seats = Seat.objects.filter(match__in=ids, user_id=request.user.pk)
    return set(seats.values_list("match_id", flat=True))
