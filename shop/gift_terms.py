"""The terms of gifts: when the next one comes and how large it is. Settings: GIFT_..."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from math import ceil

from django.conf import settings

from shop.models import LastGift

CAUSE = "gift"  # of the ledger
MOST_DAYS = 7  # days in a row that count for the size of a gift


def newest(rows: Iterable[LastGift]) -> LastGift | None:
    return max(rows, key=lambda row: row.taken_at, default=None)


def wait_s(last: LastGift | None, now: datetime) -> int:
    """Return the seconds until the person may have the next gift; 0 if they may now."""
    if last is None:
        return 0
    ready_at = last.taken_at + timedelta(hours=settings.GIFT_HOURS)
    return max(0, ceil((ready_at - now).total_seconds()))


def days_in_a_row(last: LastGift | None, now: datetime) -> int:
    """Return the number of days (UTC) in a row with a gift, including one at `now`."""
    if last is None:
        return 1
    days = (now.astimezone(UTC).date() - last.taken_at.astimezone(UTC).date()).days
    return last.days + days if days in (0, 1) else 1


def credits_of(last: LastGift | None, now: datetime) -> int:
    """Return the credits of a gift at `now`.

    The first gift of a day is larger by GIFT_STREAK_CREDITS for each earlier day in a row. At most
    MOST_DAYS days count, including this one.
    """
    days = days_in_a_row(last, now)
    is_first_of_day = last is None or days != last.days
    steps = min(days, MOST_DAYS) - 1 if is_first_of_day else 0
    return int(settings.GIFT_CREDITS + steps * settings.GIFT_STREAK_CREDITS)
