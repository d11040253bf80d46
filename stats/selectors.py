"""Reads of ratings."""

from decimal import ROUND_HALF_UP, Decimal

from stats.models import Rating
from stats.rating import START, Standing


def standing_of(user_id: int, variant: str) -> Standing:
    """A member's standing; that of a newcomer before his first rated match."""
    found = Rating.objects.filter(user_id=user_id, variant=variant).first()
    return Standing() if found is None else Standing(found.rating, found.experience)


def rating_of(user_id: int, variant: str) -> int:
    """The rating as it is shown: a whole number."""
    rating = Rating.objects.filter(user_id=user_id, variant=variant)
    return shown(rating.values_list("rating", flat=True).first() or START)


def shown(rating: Decimal) -> int:
    return int(rating.to_integral_value(ROUND_HALF_UP))
