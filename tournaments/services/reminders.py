"""Remind entrants who are away before the start."""

from collections.abc import Collection
from datetime import datetime, timedelta

from accounts.models import NoticeKind
from accounts.notices import services as notices
from accounts.notices.services import Event
from tournaments.models import Tournament

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


def _event(tournament: Tournament) -> Event:
    starts_at = tournament.starts_at
    return Event(
        _KIND,
        "tournaments:tournament",
        tournament.public_id,
        expires_at=starts_at,
        happens_at=starts_at,
    )
