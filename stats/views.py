"""Pages of ratings, leaderboards and opponents."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.selectors import find_member
from accounts.shared.current_user import current_user, viewer_of
from accounts.shared.rate_limits import limited
from games.engine.rules import Variant
from stats import head_to_head, leaderboards, selectors
from stats.forms import LeaderboardForm
from stats.keyset import page_of
from stats.rating import SETTLED_EXPERIENCE
from stats.rating_graph import RatingGraph

PAGE_LENGTH = 50  # rows


@require_safe
@limited("list_pages")
def leaders(request: HttpRequest) -> HttpResponse:
    """Show a page of a leaderboard, with the viewer's own place and a link to its page."""
    viewer = viewer_of(request)
    form, now = LeaderboardForm(request.GET, viewer), timezone.now()
    number = request.GET.get("page", "")
    own = leaderboards.place_of(viewer, form.choice, now) if viewer else None
    absence = leaderboards.absence_of(viewer, form.choice) if viewer and not own else None
    context = {
        "form": form,
        "choice": form.choice,
        "page": leaderboards.page_of(form.choice, now, _page_number(number)),
        "own": own,
        "absence": absence,
        "least": SETTLED_EXPERIENCE,
    }
    if viewer and absence is leaderboards.Absence.UNSETTLED:
        standing = selectors.standing_of(viewer.pk, form.choice.variant)
        context["experience"] = standing.experience
    return render(request, "stats/leaders.html", context)


def _page_number(given: str) -> int:
    """Return the number of a page; 1 if it is unreadable."""
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 8 else 1


@require_safe
@limited("list_pages")
def rating(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a page of a member's rating changes with their terms, and a graph of these changes."""
    person = find_member(public_id)
    if person is None or person.closed_at:
        raise Http404
    if not person.profile.shows_record and person != request.user:
        return render(request, "stats/hidden.html", {"person": person}, status=403)
    variant = request.GET.get("variant")
    if variant not in set(Variant):
        variant = Variant.SHORT.value
    page = page_of(selectors.changes_of(person.pk, variant), request.GET, PAGE_LENGTH)
    context = {
        "person": person,
        "variant": variant,
        "variants": [each.value for each in Variant],
        "standing": selectors.standing_of(person.pk, variant),
        "record": selectors.record_of(person.pk, variant),
        "least": SETTLED_EXPERIENCE,
        "page": page,
        "graph": RatingGraph(selectors.ratings_through(page.rows)) if page.rows else None,
    }
    return render(request, "stats/rating.html", context)


@never_cache
@require_safe
@login_required
def opponents(request: HttpRequest) -> HttpResponse:
    """List the viewer's opponents with the record against each."""
    records = head_to_head.opponents_of(current_user(request).pk)
    page = page_of(records, request.GET, PAGE_LENGTH, "last_at")
    return render(request, "stats/opponents.html", {"page": page})


@never_cache
@require_safe
@login_required
def opponent(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the viewer's matches against one person, with links to the neighbors in the list."""
    viewer, person = current_user(request), find_member(public_id)
    if person is None or person == viewer:
        raise Http404
    record = head_to_head.record_between(viewer.pk, person.pk)
    newer, older = head_to_head.neighbors_of(record) if record else (None, None)
    matches = head_to_head.matches_between(viewer.pk, person.pk)
    context = {
        "person": person,
        "record": record,
        "page": page_of(matches, request.GET, PAGE_LENGTH, "finished_at"),
        "newer": newer,
        "older": older,
    }
    return render(request, "stats/opponent.html", context)


@never_cache
@require_safe
def match_rating(request: HttpRequest, public_id: str) -> HttpResponse:
    """Render a player's rating change by a finished match; the page polls until the match is rated.

    The fragment is empty for anyone who did not play the match.
    """
    viewer = viewer_of(request)
    context = _rating_context(public_id, viewer.pk) if viewer else {}
    return render(request, "stats/_match_rating.html", {"public_id": public_id, **context})


def _rating_context(public_id: str, viewer_id: int) -> dict[str, Any]:
    # The order matters: the second query finds a match that was rated after the first query.
    was_waiting = selectors.waits_for_rating(public_id, viewer_id)
    change = selectors.change_of(public_id, viewer_id)
    if change is None:
        is_unrated = not was_waiting and selectors.is_left_unrated(public_id, viewer_id)
        return {"is_waiting": was_waiting, "is_unrated": is_unrated}
    return {
        "change": change,
        "is_latest": selectors.is_latest(change),
        "opponent": head_to_head.opponent_in(public_id, viewer_id),
    }
