"""The share of a member's matches for credits that they did not spoil, as their card shows it."""

from django.db.models import Exists, OuterRef, Q

from games.engine.match.state import MatchCause
from games.models import Seat, Strike
from games.models.kind import kinds_where

# The latest matches count, and fewer than LEAST say nothing of a player.
LATEST = 100
LEAST = 10


def completion_percent(user_id: int) -> int | None:
    """Return the share in percent, rounded down; None before LEAST matches.

    A match is spoiled by a strike of the member that staff have not lifted. Void matches count
    only then.
    """
    seats = Seat.objects.filter(
        user_id=user_id,
        match__kind__in=kinds_where(lambda kind: kind.is_staked),
        match__finished_at__isnull=False,
    )
    strikes = Strike.objects.filter(
        user_id=user_id, match=OuterRef("match"), lifted_at__isnull=True
    )
    marked = seats.annotate(is_spoiled=Exists(strikes))
    counted = marked.exclude(Q(match__outcome=MatchCause.VOID.value) & Q(is_spoiled=False))
    spoiled = list(counted.order_by("-id").values_list("is_spoiled", flat=True)[:LATEST])
    if len(spoiled) < LEAST:
        return None
    return 100 * spoiled.count(False) // len(spoiled)
