"""Presence of members: the time of their last ping."""

from datetime import datetime, timedelta

from accounts.models import Presence
from accounts.people.locks import lock_unclosed
from accounts.shared.transactions import write_transaction

# Least time before a member's presence is written again.
TOUCH_EVERY = timedelta(seconds=30)


def touch(user_id: int, now: datetime) -> None:
    """Note the member's presence, at most every 30 s for all their pages together.

    Do nothing if the account is closed.
    """
    mine = Presence.objects.filter(user_id=user_id)
    seen_at = mine.values_list("seen_at", flat=True).first()
    # Read first: a read does not occupy SQLite's only writer.
    if seen_at is not None and now - seen_at < TOUCH_EVERY:
        return
    with write_transaction():
        if seen_at is not None:
            mine.filter(seen_at__lte=now - TOUCH_EVERY).update(seen_at=now)
        elif lock_unclosed(user_id):
            Presence.objects.bulk_create(
                [Presence(user_id=user_id, seen_at=now)], ignore_conflicts=True
            )
