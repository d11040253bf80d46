"""Totals of leaderboards and dice, kept in the cache, so that most readers cost no query.

The site adds the totals up about once in `FRESH_FOR`, regardless of the number of readers. While
one request adds them up, the others get the previous totals; a request that finds no previous
totals adds them up too. `rebuildstats` makes the site forget all totals.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeVar
from uuid import uuid4

from django.core.cache import cache

FRESH_FOR = timedelta(minutes=1)
# Seconds for which old totals are served while new ones are added up.
STALE_FOR_S = 3600
# Seconds after which another request adds up: the request that holds the lock may have died.
LOCK_S = 30
# Key of the generation, which is part of the keys of all totals: a new generation discards them.
GENERATION = "stats:totals"

Totals = TypeVar("Totals")


def totals_of(name: str, now: datetime, add_up: Callable[[], Totals]) -> Totals:
    """Return the totals of a name; add them up if the kept ones are older than `FRESH_FOR`."""
    key = f"{GENERATION}:{_generation()}:{name}"
    kept: tuple[datetime, Totals] | None = cache.get(key)
    if kept is not None and timedelta(0) <= now - kept[0] < FRESH_FOR:
        return kept[1]
    lock, own = f"{key}:lock", uuid4().hex
    is_first = cache.add(lock, own, LOCK_S)
    if kept is not None and not is_first:
        return kept[1]
    try:
        found = add_up()
        cache.set(key, (now, found), STALE_FOR_S)
    finally:
        if cache.get(lock) == own:  # else another request holds it
            cache.delete(lock)
    return found


def forget_totals() -> None:
    """Discard all kept totals."""
    cache.set(GENERATION, uuid4().hex, None)


def _generation() -> str:
    return str(cache.get(GENERATION, ""))
