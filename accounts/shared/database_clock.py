"""The database's clock, by which several machines compare moments.

Each machine has a clock of its own. Where two differ by seconds, a moment that one of them stored
lies in the other's past or future. So `now` of matches, seats, announced games and of the worker's
deadlines is `CLOCK.now()`; services take it as an argument.
"""

import logging
from datetime import datetime, timedelta

from django.db import connection
from django.utils import timezone

logger = logging.getLogger(__name__)

# A larger difference is logged, since a process decides flags by its own clock until the first
# reading.
MOST_OFF = timedelta(seconds=2)
# A reading that took longer, because this process or the database was paused, is too inexact to
# replace an earlier one.
EXACT_WITHIN = timedelta(seconds=1)


class DatabaseClock:
    """Read the database's clock, and keep by how much it is ahead of this process's clock.

    On SQLite both are the same clock. Until the first reading, the clocks count as equal.
    """

    def __init__(self) -> None:
        self._ahead = timedelta()
        self._has_read = False
        self._is_reported = False

    def read(self) -> datetime:
        """Return the present moment by the database's clock, by one query."""
        if connection.vendor != "postgresql":
            return timezone.now()
        with connection.cursor() as cursor:
            before = timezone.now()  # after a connection was made, which may take long
            cursor.execute("SELECT clock_timestamp()")
            now: datetime = cursor.fetchone()[0]
        took = timezone.now() - before
        if timedelta() <= took < EXACT_WITHIN or not self._has_read:
            self._ahead = now - (before + took / 2)
            self._has_read = True
        self._report()
        return now

    def now(self) -> datetime:
        """Return the present moment by the database's clock, as of the last reading."""
        return timezone.now() + self._ahead

    def forget(self) -> None:
        self._ahead = timedelta()
        self._has_read = False

    def _report(self) -> None:
        """Log a clock that is off, once until it is right again."""
        is_off = abs(self._ahead) > MOST_OFF
        if is_off and not self._is_reported:
            off_s = -self._ahead.total_seconds()
            logger.error("this machine's clock is %+.1f s off the database's: set it", off_s)
        self._is_reported = is_off


CLOCK = DatabaseClock()
