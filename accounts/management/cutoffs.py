"""Cut-off times of the nightly cleanup commands."""

from datetime import datetime, timedelta

from django.core.management.base import CommandError
from django.utils import timezone


def days_ago(days: int) -> datetime:
    """Return the time `days` days ago; raise CommandError if it is before the calendar begins."""
    try:
        return timezone.now() - timedelta(days=days)
    except OverflowError:
        raise CommandError(f"No calendar goes back {days} days.") from None
