"""The data export's ratings and rating changes."""

from typing import Any

from django.db.models import F

from stats.models import Rating, RatingChange


def of(user_id: int) -> dict[str, Any]:
    """Return the ratings, and the changes in the order of rating; `match` is a public id."""
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
