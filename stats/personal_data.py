"""A member's part of his data export: his ratings, and what each match did to them."""

from typing import Any

from django.db.models import F

from stats.models import Rating, RatingChange


def of(user_id: int) -> dict[str, Any]:
    """Changes in the order of rating; `match` is the public id of the match."""
    ratings = Rating.objects.filter(user_id=user_id).order_by("variant")
    changes = RatingChange.objects.filter(user_id=user_id).order_by("rated__place")
    done = changes.values(
        "variant",
        "before",
        "change",
        "net_credits",
        match=F("rated__match__public_id"),
        rated_at=F("rated__rated_at"),
    )
    return {
        "ratings": list(ratings.values("variant", "rating", "experience", "won", "lost", "drawn")),
        "changes": list(done),
    }
