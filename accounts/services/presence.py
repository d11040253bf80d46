"""Whether a member is here: the time of his last ping."""

from datetime import datetime, timedelta

from accounts.gate import writing
from accounts.models import Presence

TOUCH_EVERY = timedelta(seconds=30)


def touch(user_id: int, now: datetime) -> None:
    """The member was here at `now`. Written at most every 30 s, however many pages he has open."""
    mine = Presence.objects.filter(user_id=user_id)
    seen_at = mine.values_list("seen_at", flat=True).first()
    # Asked before writing: a read costs SQLite's only writer nothing.
    if seen_at is not None and now - seen_at < TOUCH_EVERY:
        return
    with writing():
        if seen_at is None:
            Presence.objects.bulk_create(
                [Presence(user_id=user_id, seen_at=now)], ignore_conflicts=True
            )
        else:
            mine.filter(seen_at__lte=now - TOUCH_EVERY).update(seen_at=now)
