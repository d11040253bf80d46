"""Alerts about a member's tournaments, shown on every page: timers, open tables, news."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.models import User
from tournaments import states
from tournaments.models import Entrant, Fixture, Tournament

# The timer is shown within this time before the start.
SHOWN_BEFORE = timedelta(minutes=30)
OFF = (states.CANCELED, states.VOID)
# Time for which the news that a tournament was called off is shown.
NEWS_SHOWN_FOR = timedelta(days=30)


@dataclass(frozen=True, slots=True)
class Alert:
    """One line: a coming start (without a match), a table that waits, a match in play, or news.

    `left_s` are the seconds until the start, or until the players of the table must have come. The
    news is that a tournament was called off or, before it begins, that its start was moved.
    """

    tournament: Tournament
    match_id: str = ""
    left_s: int | None = None
    is_news: bool = False

    @property
    def is_open(self) -> bool:
        """Return whether the table waits for its players."""
        return bool(self.match_id) and self.left_s is not None


@dataclass(frozen=True, slots=True)
class Alerts:
    """`is_entered`: the member has entered a tournament that is announced or running."""

    lines: list[Alert]
    is_entered: bool


def alerts_of(user: User, now: datetime) -> Alerts:
    is_alive = Q(
        state=Entrant.State.ENTERED, tournament__state__in=(states.ANNOUNCED, states.RUNNING)
    )
    is_off = Q(
        has_news=True, tournament__state__in=OFF, tournament__finished_at__gt=now - NEWS_SHOWN_FOR
    )
    entrants = Entrant.objects.filter(is_alive | is_off, user=user)
    rows = list(entrants.select_related("tournament").order_by("tournament__starts_at"))
    entered = [each.tournament for each in rows if not each.tournament.is_over]
    waiting = [each for each in entered if each.state == states.ANNOUNCED]
    lines = [Alert(each.tournament, is_news=True) for each in rows if _has_news(each)]
    lines += _tables(user, now) if len(waiting) < len(entered) else []
    for tournament in waiting:
        left = tournament.starts_at - now
        if left <= SHOWN_BEFORE:
            lines.append(Alert(tournament, left_s=max(0, int(left.total_seconds()))))
    return Alerts(lines, is_entered=bool(entered))


def _has_news(entrant: Entrant) -> bool:
    """Return whether to show news; that of a moved start ends when the tournament begins."""
    return entrant.has_news and entrant.tournament.state != states.RUNNING


def _tables(user: User, now: datetime) -> list[Alert]:
    fixtures = Fixture.objects.filter(
        Q(first__user=user) | Q(second__user=user),
        finished_at__isnull=True,
        match__isnull=False,
        round__tournament__state=states.RUNNING,
    )
    found = fixtures.select_related("match", "round__tournament").order_by("join_by")
    return [_alert(fixture, now) for fixture in found]


def _alert(fixture: Fixture, now: datetime) -> Alert:
    match = fixture.match
    assert match is not None
    left_s = None
    if match.started_at is None and fixture.join_by is not None:
        left_s = max(0, int((fixture.join_by - now).total_seconds()))
    return Alert(fixture.round.tournament, match.public_id, left_s)
