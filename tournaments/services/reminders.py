"""Notices to entrants who are away: start near or moved, own table open, tournament called off.

Until a member opens the page of the tournament, their other pages show its news too.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

from accounts.models import NoticeKind
from accounts.notices import services as notices
from accounts.notices.services import Event
from accounts.shared.transactions import write_transaction
from tournaments import states
from tournaments.models import Entrant, Fixture, Tournament

# Time before the start at which the reminder is sent.
BEFORE = timedelta(minutes=15)
# Notices that a tournament was called off are sent within this time, or not at all.
NEWS_FOR = timedelta(days=1)
_SOON = NoticeKind.TOURNAMENT_SOON


def plan(tournament: Tournament, user_id: int, now: datetime) -> None:
    """Plan the reminder of a new entrant; do nothing if its moment has passed."""
    notices.plan(user_id, _reminder(tournament), tournament.starts_at - BEFORE, now)


def move(tournament: Tournament, entrants: Collection[Entrant], now: datetime) -> None:
    """Plan the entrants' reminders again after the start of their tournament was moved."""
    people = [entrant.user_id for entrant in entrants if not entrant.bot]
    notices.postpone(people, _reminder(tournament), tournament.starts_at - BEFORE, now)


def drop(tournament: Tournament, user_ids: Collection[int] | None = None) -> None:
    """Drop the reminders of members who withdrew, or of all."""
    notices.withdraw(_SOON, tournament.public_id, user_ids)


def tell_table_open(fixture: Fixture, user_ids: Collection[int], now: datetime) -> None:
    """Notify the players of a new table who are away, in the transaction that opens the table."""
    kind, match, join_by = NoticeKind.TABLE_OPEN, fixture.match, fixture.join_by
    if match is None or join_by is None:
        return
    event = Event(kind, "games:match", match.public_id, expires_at=join_by, happens_at=join_by)
    for user_id in sorted(notices.wanting(user_ids, kind)):
        notices.tell(user_id, event, now)


def tell_news(tournament: Tournament, entrants: Collection[Entrant], now: datetime) -> None:
    """Notify the entrants of a locked tournament that it was just called off or moved."""
    people = {entrant.pk: entrant.user_id for entrant in entrants if not entrant.bot}
    Entrant.objects.filter(pk__in=people).update(has_news=True)
    event = _news(tournament, now)
    for user_id in sorted(notices.wanting(people.values(), event.kind)):
        notices.tell(user_id, event, now)


def note_read(tournament: Tournament, user_id: int) -> None:
    """Note that the member has opened the tournament's page."""
    unread = Entrant.objects.filter(tournament=tournament, user_id=user_id, has_news=True)
    # Look first: few pages have news, and a read does not occupy SQLite's only writer.
    if unread.exists():
        with write_transaction():
            unread.update(has_news=False)


def _news(tournament: Tournament, now: datetime) -> Event:
    """Return the notice of news; it names the new start unless the tournament was called off."""
    starts_at = tournament.starts_at if tournament.state == states.ANNOUNCED else None
    return Event(
        NoticeKind.TOURNAMENT_NEWS,
        "tournaments:tournament",
        tournament.public_id,
        expires_at=starts_at or now + NEWS_FOR,
        key=f"{tournament.public_id}:{now.isoformat()}",
        happens_at=starts_at,
    )


def _reminder(tournament: Tournament) -> Event:
    starts_at = tournament.starts_at
    return Event(
        _SOON,
        "tournaments:tournament",
        tournament.public_id,
        expires_at=starts_at,
        happens_at=starts_at,
    )
