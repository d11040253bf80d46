"""Write the commitments of members, for apps above games, in the caller's transaction."""

from collections.abc import Collection
from datetime import datetime

from games.models import Commitment


def add(user_id: int, reference: str, starts_at: datetime) -> None:
    """Record a commitment, or the new start of one with the same reference; idempotent."""
    Commitment.objects.update_or_create(
        user_id=user_id, reference=reference, defaults={"starts_at": starts_at}
    )


def postpone(reference: str, starts_at: datetime) -> None:
    Commitment.objects.filter(reference=reference).update(starts_at=starts_at)


def remove(reference: str, user_ids: Collection[int] | None = None) -> None:
    """Remove the commitments with the reference: those of these users, or all."""
    found = Commitment.objects.filter(reference=reference)
    if user_ids is not None:
        found = found.filter(user_id__in=user_ids)
    found.delete()
