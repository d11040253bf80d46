"""Records of a member against each opponent, and the matches behind them."""

from collections.abc import Collection
from typing import Any

from django.db.models import Q, QuerySet

from accounts.models import User
from games.models import Seat
from games.models.kind import kinds_where
from stats.models import OpponentRecord, PlayedMatch


def record_between(user_id: int, opponent_id: int) -> OpponentRecord | None:
    return OpponentRecord.objects.filter(user=user_id, opponent=opponent_id).first()


def opponent_ids(user_id: int) -> QuerySet[OpponentRecord, Any]:
    return OpponentRecord.objects.filter(user=user_id).order_by().values("opponent")


def records_with(user_id: int, opponent_ids: Collection[int]) -> dict[int, OpponentRecord]:
    """Return the records by opponent, with their last matches; opponents never met are left out."""
    records = OpponentRecord.objects.filter(user=user_id, opponent__in=opponent_ids)
    found = records.select_related("last_match").prefetch_related("last_match__seats")
    return {record.opponent_id: record for record in found}


def opponents_of(user_id: int) -> QuerySet[OpponentRecord]:
    """Return the records against all opponents, the last met first."""
    records = OpponentRecord.objects.filter(user=user_id).order_by("-last_at", "-id")
    return records.select_related("opponent__profile")


def neighbors_of(record: OpponentRecord) -> tuple[User | None, User | None]:
    """Return the opponents before and after the record's in the order of `opponents_of`."""
    others, at = opponents_of(record.user_id), record.last_at
    newer = others.filter(Q(last_at__gt=at) | Q(last_at=at, pk__gt=record.pk), last_at__gte=at)
    older = others.filter(Q(last_at__lt=at) | Q(last_at=at, pk__lt=record.pk), last_at__lte=at)
    before, after = newer.order_by("last_at", "id").first(), older.first()
    return (before.opponent if before else None), (after.opponent if after else None)


def matches_between(user_id: int, opponent_id: int) -> QuerySet[PlayedMatch]:
    """Return the member's rows of the counted matches between the two, the latest first."""
    kinds = kinds_where(lambda kind: kind.counts_head_to_head)
    rows = PlayedMatch.objects.filter(user=user_id, opponent=opponent_id, match__kind__in=kinds)
    counted = rows.exclude(result=PlayedMatch.Result.VOID)
    return counted.select_related("match").prefetch_related("match__seats")


def opponent_in(public_id: str, user_id: int) -> User | None:
    seats = Seat.objects.filter(match__public_id=public_id).exclude(user_id=user_id)
    seat = seats.select_related("user").first()
    return seat.user if seat else None
