"""Close announced games whose time is over, or whose owner is expected elsewhere."""

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db.models import DateTimeField, ExpressionWrapper, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Least

from accounts.models import Presence
from accounts.selectors import ONLINE_FOR
from accounts.shared import deadlines
from accounts.shared.deadlines import Retries
from accounts.shared.transactions import write_transaction
from games.models import Commitment
from games.models.commitment import CLOSED_BEFORE, FORGOTTEN_AFTER
from games.selectors import are_committed
from lobby import broadcast
from lobby.models import Seek
from lobby.services.ending import close
from lobby.services.requirements import is_barred

# Announcements with the annotation `due_at`.
WithDue = QuerySet[Any]

logger = logging.getLogger(__name__)

# The kind of deadline of announcements, as the worker's loop knows it.
SEEKS = "announcements"
# An announcement closes, or is renewed, after this time.
LIFETIME = timedelta(minutes=5)
# Maximum number of announcements settled in one call of `settle_due`.
BATCH = 100
RETRIES = Retries(logger, "announcement not settled", "seek")


def expiring() -> WithDue:
    """Return the open announcements with the moment `due_at` of their end, the earliest first."""
    # A commitment that began FORGOTTEN_AFTER or more before the announcement no longer counts,
    # though it is still stored. Any other closes the announcement when the time left until the
    # commitment begins is CLOSED_BEFORE.
    elsewhere = Commitment.objects.filter(
        user=OuterRef("owner"), starts_at__gt=OuterRef("created_at") - FORGOTTEN_AFTER
    ).order_by("starts_at")
    closes_at = ExpressionWrapper(F("starts_at") - CLOSED_BEFORE, output_field=DateTimeField())
    first = Subquery(elsewhere.annotate(closes_at=closes_at).values("closes_at")[:1])
    waiting = Seek.objects.filter(state=Seek.State.OPEN)
    due_at = Least("expires_at", Coalesce(first, F("expires_at")))
    return waiting.annotate(due_at=due_at).order_by("due_at")


def settle_due(now: datetime) -> datetime | None:
    """Close or renew due announcements; return when the next one is due, or None."""
    waiting = expiring().filter(due_at__lte=now).exclude(id__in=RETRIES.resting(now))
    due = list(waiting.values_list("id", flat=True)[:BATCH])
    RETRIES.settle(due, lambda seek_id: close_or_renew(seek_id, now), now)
    if len(due) == BATCH:
        return now
    following = expiring().filter(due_at__gt=now).values_list("due_at", flat=True).first()
    return RETRIES.next_at(following, now)


def close_or_renew(seek_id: int, now: datetime) -> None:
    """Close or renew an announcement that is due, unless another process has done so."""
    with write_transaction():
        due = Seek.objects.select_for_update(no_key=True, skip_locked=True)
        seek = due.filter(id=seek_id, state=Seek.State.OPEN).first()
        if seek is None:
            return
        if are_committed([seek.owner_id], now):
            close(seek, Seek.State.BUSY, now)
        elif seek.expires_at > now:
            return
        elif seek.is_renewed and _may_wait_on(seek, now):
            _renew(seek, now)
        else:
            close(seek, Seek.State.EXPIRED, now)


def _may_wait_on(seek: Seek, now: datetime) -> bool:
    """Return whether the owner is here and may play, and somebody may still join."""
    if seek.invited is not None and not seek.invited.is_member:  # closed or banned meanwhile
        return False
    return is_here(seek.owner_id, now) and not is_barred(seek, now)


def is_here(user_id: int, now: datetime) -> bool:
    return Presence.objects.filter(user_id=user_id, seen_at__gt=now - ONLINE_FOR).exists()


def _renew(seek: Seek, now: datetime) -> None:
    """Let the game wait for the same time again, with the same hold of its stake."""
    seek.expires_at = now + LIFETIME
    seek.save(update_fields=["expires_at"])
    deadlines.note(SEEKS, seek.expires_at)
    broadcast.seek_changed(seek)


def forget(before: datetime) -> int:
    """Delete the announcements without a match that ended before a time; return how many.

    The ledger keeps the records of their stakes. Searches are deleted before their announcements.
    """
    unjoined = Seek.objects.filter(match__isnull=True, closed_at__lt=before, search__isnull=True)
    return unjoined.delete()[1].get(Seek._meta.label, 0)
