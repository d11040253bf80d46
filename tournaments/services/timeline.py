"""Entries of the timeline of a tournament."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tournaments.models import TimelineEntry, Tournament

Event = TimelineEntry.Event


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision of staff; members read the reason on the timeline."""

    reason: str
    by_id: int


def add(
    tournament: Tournament,
    event: str,
    now: datetime,
    ruling: Ruling | None = None,
    **detail: Any,
) -> None:
    """Add an entry, in the caller's transaction; `detail` holds the fields of the event."""
    TimelineEntry.objects.create(
        tournament=tournament,
        at=now,
        event=event,
        detail=detail,
        reason=ruling.reason if ruling else "",
        by_id=ruling.by_id if ruling else None,
    )
