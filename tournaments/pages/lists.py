"""The lists of tournaments: nearest, running, completed, canceled, the viewer's own."""

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from accounts.shared.plain_text import containing
from tournaments import states
from tournaments.models import Entrant, Tournament
from tournaments.selectors import winners_by_tournament

NEAREST, RUNNING, COMPLETED, CANCELED, MINE = (
    "nearest", "running", "completed", "canceled", "mine",
)  # fmt: skip
# Longest text that a search by name takes.
QUERY_LENGTH = 60


@dataclass(frozen=True, slots=True)
class List:
    """One list: the states of its tournaments, their order, and the text shown if it is empty."""

    title: Any
    states: tuple[str, ...]
    order: tuple[str, ...]
    empty: Any


LATEST_FIRST = ("-starts_at", "-pk")
LISTS = {
    NEAREST: List(
        pgettext_lazy("tournaments", "Upcoming"),
        (states.ANNOUNCED,),
        ("starts_at", "pk"),
        _("No tournaments are announced at the moment. Please check back later."),
    ),
    RUNNING: List(
        pgettext_lazy("tournaments", "In progress"),
        (states.RUNNING,),
        LATEST_FIRST,
        _("No tournament is in progress."),
    ),
    COMPLETED: List(
        pgettext_lazy("tournaments", "Completed"),
        (states.FINISHED,),
        LATEST_FIRST,
        _("No tournaments have been completed yet."),
    ),
    CANCELED: List(
        pgettext_lazy("tournaments", "Canceled"),
        (states.CANCELED, states.VOID),
        LATEST_FIRST,
        _("No tournaments have been canceled."),
    ),
    MINE: List(
        pgettext_lazy("tournaments", "Mine"),
        (states.ANNOUNCED, states.RUNNING, states.FINISHED, states.CANCELED, states.VOID),
        LATEST_FIRST,
        _("You have not entered a tournament yet."),
    ),
}


def listed(which: str, viewer: User | None, query: str = "") -> QuerySet[Tournament]:
    """Return the tournaments of a list whose name contains `query`, regardless of capitals.

    Each has `is_entered`: whether the viewer has entered it. Of the announced tournaments of a
    schedule that have the same name and fee, the nearest list has the next one and those that the
    viewer has entered.
    """
    chosen = LISTS[which]
    found = Tournament.objects.filter(state__in=chosen.states)
    own = entrants_of(viewer).filter(tournament=OuterRef("pk"))
    if which == MINE:
        found = found.filter(Exists(own))
    if query:
        found = found.filter(containing("name", query))
    found = found.annotate(is_entered=Exists(own)).order_by(*chosen.order)
    if which == NEAREST:
        earlier = Tournament.objects.filter(
            schedule=OuterRef("schedule"),
            name=OuterRef("name"),
            fee_credits=OuterRef("fee_credits"),
            state=states.ANNOUNCED,
            starts_at__lt=OuterRef("starts_at"),
        )
        found = found.filter(~Exists(earlier) | Q(is_entered=True))
    return found


def with_later_dates(tournaments: list[Tournament]) -> list[Tournament]:
    """Set `later` and `later_key` on tournaments of the nearest list.

    `later` are the announced tournaments with the same schedule, name and fee that start later; of
    several such tournaments in the list only the first has them. `later_key` is a part of an HTML
    id that changes with the dates.
    """
    schedules = {each.schedule_id for each in tournaments if each.schedule_id}
    announced = Tournament.objects.filter(schedule__in=schedules, state=states.ANNOUNCED)
    shown = announced.only("public_id", "schedule", "name", "fee_credits", "starts_at")
    following: dict[Any, list[Tournament]] = {}
    for each in shown.order_by("starts_at"):
        following.setdefault(_series_of(each), []).append(each)
    for each in tournaments:
        found = following.pop(_series_of(each), [])
        later = [one for one in found if one.starts_at > each.starts_at]
        dates = repr([(one.public_id, one.starts_at) for one in later])
        each.later = later  # type: ignore[attr-defined]
        each.later_key = sha256(dates.encode()).hexdigest()[:8]  # type: ignore[attr-defined]
    return tournaments


def _series_of(tournament: Tournament) -> tuple[int | None, str, int]:
    return tournament.schedule_id, tournament.name, tournament.fee_credits


def with_details(tournaments: list[Tournament]) -> list[Tournament]:
    """Set `entrant_count`, `prize_now` and `winners` on the tournaments of one page.

    `winners` are the users who won a finished tournament, with a prize or without.
    """
    ids = [tournament.pk for tournament in tournaments]
    entered = ~Q(state=Entrant.State.WITHDRAWN)
    counts = dict(
        Entrant.objects.filter(entered, tournament__in=ids)
        .values_list("tournament")
        .annotate(Count("pk"))
    )
    finished = [each.pk for each in tournaments if each.state == states.FINISHED]
    winners = winners_by_tournament(finished)
    winner_ids = {user_id for each in winners.values() for user_id in each}
    users = User.objects.select_related("profile").in_bulk(winner_ids)
    for each in tournaments:
        count = counts.get(each.pk, 0)
        each.entrant_count = count  # type: ignore[attr-defined]
        each.prize_now = each.prize_of(each.fee_credits * count)  # type: ignore[attr-defined]
        won = winners.get(each.pk, [])
        each.winners = [users[user_id] for user_id in won]  # type: ignore[attr-defined]
    return tournaments


def entrants_of(viewer: User | None) -> QuerySet[Entrant]:
    if viewer is None:
        return Entrant.objects.none()
    return Entrant.objects.filter(user=viewer).exclude(state=Entrant.State.WITHDRAWN)
