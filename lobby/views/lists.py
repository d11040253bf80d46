"""Lists of announced games and matches in play, one match in play, the alert on every page."""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.conf import settings
from django.db.models import Case, IntegerField, Q, QuerySet, When
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from accounts.selectors import friends_here, friends_of
from accounts.shared.current_user import viewer_of
from accounts.shared.database_clock import CLOCK
from accounts.shared.rate_limits import limited
from games.conduct.record import suspension_of
from games.models import Match
from games.rulebook.summary import describe, likely_minutes
from games.stakes.terms import StakeTerms
from games.training.choices import quick_choices, quick_opponent
from lobby import selectors
from lobby.featured import featured_of, has_friend
from lobby.forms import FilterForm
from lobby.joinable import joinable_ids
from lobby.models import Seek
from lobby.quick_games import QUICK_GAMES
from lobby.requirements_text import conditions
from lobby.templatetags.home import home_showcase
from lobby.views.play_now_form import LAST_CHOICES, terms_of_a_press

Row = TypeVar("Row", Seek, Match)
FILTER = "lobby_filter"  # cookie
LONGEST_LIST = 100  # rows of each list
MOST_HERE = 24  # online members who are named


@never_cache
@require_safe
@limited("lobby_lists")
def lobby(request: HttpRequest) -> HttpResponse:
    """Show announced games and matches in play, and remember the filter."""
    form = _filter(request)
    terms = terms_of_a_press(request.session.get(LAST_CHOICES, {}))
    context = {**_lists(request, form), "quick_games": QUICK_GAMES, "play_now_terms": terms}
    response = render(request, "lobby/lobby.html", context)
    if FilterForm(request.GET).is_chosen and request.COOKIES.get(FILTER) != form.query:
        response.set_cookie(
            FILTER,
            form.query,
            max_age=settings.SESSION_COOKIE_AGE,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


@never_cache
@require_safe
@limited("lobby_lists")
def listing(request: HttpRequest) -> HttpResponse:
    """Render the lists and the viewer's own games, for a page that refreshes them."""
    context = {**_lists(request, _filter(request)), "is_update": True}
    return render(request, "lobby/_lists.html", context)


@never_cache
@require_safe
@limited("lobby_lists")
def showcase(request: HttpRequest) -> HttpResponse:
    """Render the match that the home page shows, for the page to refresh it."""
    return HttpResponse(home_showcase())


@never_cache
@require_safe
def live(request: HttpRequest) -> HttpResponse:
    """Render the alert that leads to the player's game, for a page after a `match` nudge."""
    return render(request, "lobby/_live.html")


@never_cache
@require_safe
def running(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the details of a match in play to a future spectator."""
    viewer = viewer_of(request)
    match = selectors.visible_match(public_id, viewer)
    if match is None:
        raise Http404
    shows_stake = match.shows_stake_to(request.user.pk)
    context = {
        "match": match,
        "is_own": any(seat.user_id == request.user.pk for seat in match.seats.all()),
        "lines": [*describe(match.match_rules), *conditions(match)],
        "minutes": likely_minutes(match.match_rules),
        "stake_terms": StakeTerms(match.stake_credits, match.rake_credits) if shows_stake else None,
    }
    return render(request, "lobby/running.html", context)


def _filter(request: HttpRequest) -> FilterForm:
    """Read the filter from the query string, else from the cookie: guests need no session."""
    form = FilterForm(request.GET)
    if not form.is_chosen:
        form = FilterForm(QueryDict(request.COOKIES.get(FILTER, "")))
    if viewer_of(request) is None:
        # A visitor can join no game and has no box to untick: the member who ticked it signed out.
        form.chosen.pop("joinable", None)
    return form


def _lists(request: HttpRequest, form: FilterForm) -> dict[str, Any]:
    viewer, now = viewer_of(request), CLOCK.now()
    suspension = suspension_of(viewer.pk, now) if viewer else None
    joinable = set()
    if viewer and not suspension:
        joinable = set(joinable_ids(viewer, now))
        request.joinable_ids = joinable  # type: ignore[attr-defined]  # for the menu
    announced = _filtered(selectors.open_seeks(viewer, now), form)
    if form.chosen.get("joinable"):
        announced = announced.filter(pk__in=joinable)
    in_play = _in_play(viewer, form)[:LONGEST_LIST]
    own_match = selectors.live_match_of(viewer) if viewer else None
    seeks = list(announced[:LONGEST_LIST])
    offered = [seek for seek in seeks if seek.pk in joinable]
    friendly = selectors.friendly_news_of(viewer, now) if viewer else None
    running = selectors.with_standings(in_play)
    friend_ids = {friend.pk for friend in friends_of(viewer)} if viewer and running else set()
    own_ids = _own_ids(viewer, running)
    featured = featured_of((match for match in running if match.pk not in own_ids), friend_ids)
    others = [match for match in running if match != featured]
    own_seek = selectors.open_seek_of(viewer) if viewer else None
    here = selectors.members_here(viewer, now)
    friends = friends_here(viewer, now) if viewer else []
    return {
        "filter": form,
        "now": now,
        "seeks": [seek for seek in seeks if seek.invited_id is None or seek == own_seek],
        "challenges": [seek for seek in seeks if seek.invited_id and seek != own_seek],
        "friendly": friendly,
        "joinable": joinable,
        "known": selectors.known_terms(viewer, offered) if viewer and offered else set(),
        "own_seek": own_seek,
        "own_match": own_match,
        "own_friendly": selectors.find_friendly_match(viewer, now) if viewer else None,
        "may_announce": viewer is not None and not (own_seek or own_match or suspension),
        "friends_here": friends,
        "here": here[:MOST_HERE],
        "here_count": here.count(),
        "quick": quick_choices(request.session),
        "quick_opponent": quick_opponent(request.session),
        "featured": featured,
        "is_of_friend": featured is not None and has_friend(featured, friend_ids),
        "running": sorted(others, key=lambda match: match.pk not in own_ids),
        "own_ids": own_ids,
        "suspension": suspension,
    }


def _own_ids(viewer: User | None, matches: Iterable[Match]) -> set[int]:
    """Return the ids of the matches that the viewer plays, also friendly and tournament matches."""
    if viewer is None:
        return set()
    return {
        match.pk
        for match in matches
        if any(seat.user_id == viewer.pk for seat in match.seats.all())
    }


def _in_play(viewer: User | None, form: FilterForm) -> QuerySet[Match]:
    """Return the matches in play; filter and order reveal nothing about a hidden stake."""
    found = selectors.running_matches(viewer)
    if not any(name.startswith("stake_credits") for name in form.conditions):
        shown = Case(
            When(hides_stake=True, then=0), default="stake_credits", output_field=IntegerField()
        )
        order = (name.replace("stake_credits", "shown_stake") for name in form.order_by)
        return found.filter(**form.conditions).annotate(shown_stake=shown).order_by(*order)
    own = found.filter(seats__user=viewer) if viewer else found.none()
    return _filtered(found.filter(Q(hides_stake=False) | Q(pk__in=own.values("pk"))), form)


def _filtered(found: QuerySet[Row], form: FilterForm) -> QuerySet[Row]:
    return found.filter(**form.conditions).order_by(*form.order_by)
