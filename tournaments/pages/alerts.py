"""Timers of a member's tournaments for every page: until the start, and to come to the table."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.models import User
from tournaments import states
from tournaments.models import Entrant, Fixture, Tournament

# The blue timer shows a start that is nearer.
SHOWN_BEFORE = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class Alert:
    """One line: a start that comes (no match), a table that waits, or a match in play."""

    tournament: Tournament
    match_id: str = ""
    left_s: int | None = None

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
    entries = Entrant.objects.filter(
        user=user,
        state=Entrant.State.ENTERED,
        tournament__state__in=(states.ANNOUNCED, states.RUNNING),
    )
    rows = entries.select_related("tournament").order_by("tournament__starts_at")
    entered = [entrant.tournament for entrant in rows]
    waiting = [each for each in entered if each.state == states.ANNOUNCED]
    lines = _tables(user, now) if len(waiting) < len(entered) else []
    for tournament in waiting:
        left = tournament.starts_at - now
        if left <= SHOWN_BEFORE:
            lines.append(Alert(tournament, left_s=max(0, int(left.total_seconds()))))
    return Alerts(lines, is_entered=bool(entered))


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
