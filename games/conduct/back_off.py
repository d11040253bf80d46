"""The wait before a player may ask the same opponent for a match again, after refusals in a row.

Pure.
"""

from collections.abc import Collection
from datetime import datetime, timedelta

# Refusals in a row -> the wait after the last one; the highest number stands for more refusals too.
WAITS = {2: timedelta(minutes=1), 3: timedelta(minutes=5), 4: timedelta(minutes=15)}
# Time for which a refusal counts.
REMEMBERED = timedelta(hours=1)


def has_to_wait(refusals: Collection[datetime], now: datetime) -> bool:
    """Return whether the player has to wait after these refusals, none older than REMEMBERED."""
    if not refusals:
        return False
    wait = WAITS.get(min(len(refusals), max(WAITS)), timedelta(0))
    return now < max(refusals) + wait
