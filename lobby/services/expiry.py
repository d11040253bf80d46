"""Close announced games whose time is over."""

import logging
from datetime import datetime, timedelta

from django.db.models import QuerySet

from accounts.shared.deadlines import Retries
from accounts.shared.transactions import write_transaction
from lobby.models import Seek
from lobby.services.ending import close

logger = logging.getLogger(__name__)

# The kind of deadline of announcements, as the worker's loop knows it.
SEEKS = "announcements"
# An announcement closes this long after it was made.
LIFETIME = timedelta(minutes=5)
# At most this many announcements expire in one call of `settle_due`.
BATCH = 100
RETRIES = Retries(logger, "announcement not settled", "seek")


def expiring() -> QuerySet[Seek]:
    """Return the open announcements, the next to expire first."""
    return Seek.objects.filter(state=Seek.State.OPEN).order_by("expires_at")


def settle_due(now: datetime) -> datetime | None:
    """Close due announcements; return when the next one is due, None if there is none."""
    waiting = expiring().filter(expires_at__lte=now).exclude(id__in=RETRIES.resting(now))
    due = list(waiting.values_list("id", flat=True)[:BATCH])
    RETRIES.settle(due, lambda seek_id: _expire(seek_id, now), now)
    if len(due) == BATCH:
        return now
    following = expiring().filter(expires_at__gt=now).values_list("expires_at", flat=True).first()
    return RETRIES.next_at(following, now)


def _expire(seek_id: int, now: datetime) -> None:
    with write_transaction():
        due = Seek.objects.select_for_update(no_key=True, skip_locked=True)
        seek = due.filter(id=seek_id, state=Seek.State.OPEN, expires_at__lte=now).first()
        if seek is not None:
            close(seek, Seek.State.EXPIRED, now)
