"""The share of a member's matches for credits that they did not spoil; their card shows it.

Of the matches against one opponent only a few count: otherwise a hundred short ones against a
friend would hide how the member treats everybody else. Spoiled matches all count, for SPOILED_FOR:
otherwise a member with few opponents, of whose matches few count, would never recover.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, QuerySet, Subquery

from games.engine.match.state import MatchCause
from games.models import Seat, Strike
from games.models.kind import kinds_where

# Latest matches that count; no share is computed from fewer than LEAST.
LATEST = 100
LEAST = 10
# Latest matches against one opponent that count, besides the spoiled ones.
SAME_OPPONENT = 5
# Latest matches that the query reads to find LATEST that count.
READ = 1000
# Time for which a spoiled match counts; after it the match counts neither for nor against.
SPOILED_FOR = timedelta(days=90)


def completion_percent(user_id: int, now: datetime) -> int | None:
    """Return the share in percent, rounded down; None before LEAST matches.

    A match is spoiled if the member got a strike in it that staff have not lifted. A void match
    counts only if it is spoiled.
    """
    strikes = Strike.objects.filter(
        user_id=user_id, match=OuterRef("match"), lifted_at__isnull=True
    )
    seats = _finished(user_id).order_by("-id")
    recent = strikes.filter(created_at__gt=now - SPOILED_FOR)
    spoiled = set(seats.filter(Exists(recent)).values_list("id", flat=True)[:LATEST])
    kept = seats.exclude(Exists(strikes)).exclude(match__outcome=MatchCause.VOID.value)
    opponent = Seat.objects.filter(match=OuterRef("match")).exclude(pk=OuterRef("pk"))
    played = kept.annotate(opponent_id=Subquery(opponent.values("user_id")[:1]))
    counted = set(_few_of_each_opponent(played.values_list("id", "opponent_id")[:READ]))
    latest = sorted(spoiled | counted, reverse=True)[:LATEST]
    if len(latest) < LEAST:
        return None
    return 100 * len(counted.intersection(latest)) // len(latest)


def _finished(user_id: int) -> QuerySet[Seat]:
    staked = kinds_where(lambda kind: kind.is_staked)
    return Seat.objects.filter(
        user_id=user_id, match__kind__in=staked, match__finished_at__isnull=False
    )


def _few_of_each_opponent(played: Iterable[tuple[int, int | None]]) -> Iterator[int]:
    """Yield the seat ids of the first SAME_OPPONENT matches against each opponent."""
    met: Counter[int | None] = Counter()
    for seat_id, opponent_id in played:
        met[opponent_id] += 1
        if met[opponent_id] <= SAME_OPPONENT:
            yield seat_id
