"""Remind entrants who are away: before the start, and when a table of theirs opens."""

from collections.abc import Collection
from datetime import datetime, timedelta

from accounts.models import NoticeKind
from accounts.notices import services as notices
from accounts.notices.services import Event
from tournaments.models import Fixture, Tournament

BEFORE = timedelta(minutes=15)
_KIND = NoticeKind.TOURNAMENT_SOON


def plan(tournament: Tournament, user_id: int, now: datetime) -> None:
    """Plan the reminder of a new entrant; an entry in the last minutes before needs none."""
    notices.plan(user_id, _event(tournament), tournament.starts_at - BEFORE, now)


def move(tournament: Tournament, now: datetime) -> None:
    """Plan all reminders of a tournament again after its start was moved."""
    notices.postpone(_event(tournament), tournament.starts_at - BEFORE, now)


def drop(tournament: Tournament, user_ids: Collection[int] | None = None) -> None:
    """Drop the reminders of members who withdrew, or of all."""
    notices.withdraw(_KIND, tournament.public_id, user_ids)


def tell_table_open(fixture: Fixture, user_ids: Collection[int], now: datetime) -> None:
    """Tell the players of a new table who are away, in the transaction that opens it."""
    kind, match, join_by = NoticeKind.TABLE_OPEN, fixture.match, fixture.join_by
    if match is None or join_by is None:
        return
    event = Event(kind, "games:match", match.public_id, expires_at=join_by, happens_at=join_by)
    for user_id in sorted(notices.wanting(user_ids, kind)):
        notices.tell(user_id, event, now)


def _event(tournament: Tournament) -> Event:
    starts_at = tournament.starts_at
    return Event(
        _KIND,
        "tournaments:tournament",
        tournament.public_id,
        expires_at=starts_at,
        happens_at=starts_at,
    )
