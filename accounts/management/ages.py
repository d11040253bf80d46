"""How long ago, for the nightly commands that forget what is old."""

from datetime import datetime, timedelta

from django.core.management.base import CommandError
from django.utils import timezone


def days_ago(days: int) -> datetime:
    """Raises CommandError for a day that no calendar has."""
    try:
        return timezone.now() - timedelta(days=days)
    except OverflowError:
        raise CommandError(f"No calendar goes back {days} days.") from None
