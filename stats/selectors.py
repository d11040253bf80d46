"""Queries of ratings."""

from collections.abc import Collection, Sequence
from decimal import ROUND_HALF_UP, Decimal

from django.db.models import QuerySet

from games.engine.match.state import MatchCause
from games.engine.rules import Variant
from games.models import Match
from games.models.kind import kinds_where
from stats.models import RatedMatch, Rating, RatingChange
from stats.rating import START, Standing

LAST_MATCHES = 10  # rated matches on a member's page


def standing_of(user_id: int, variant: str) -> Standing:
    """Return a member's standing; before the first rated match, that of a newcomer."""
    found = Rating.objects.filter(user_id=user_id, variant=variant).first()
    return Standing() if found is None else Standing(found.rating, found.experience)


def standings_of(user_ids: Collection[int]) -> dict[tuple[int, str], Standing]:
    """Return standings by (user id, variant), without newcomers."""
    found = Rating.objects.filter(user__in=user_ids)
    return {(row.user_id, row.variant): Standing(row.rating, row.experience) for row in found}


def rating_of(user_id: int, variant: str) -> int:
    """Return the rating rounded for display."""
    rating = Rating.objects.filter(user_id=user_id, variant=variant)
    return rounded(rating.values_list("rating", flat=True).first() or START)


def record_of(user_id: int, variant: str) -> Rating | None:
    """Return the row with the counts won, lost and drawn; None before the first rated match."""
    return Rating.objects.filter(user_id=user_id, variant=variant).first()


def changes_of(user_id: int, variant: str) -> QuerySet[RatingChange]:
    """Return the rating changes, the latest first.

    Their ids follow the order of rating, also after a rebuild. Ordering by the place, a column of
    another table, would sort all changes of the member for each page.
    """
    changes = RatingChange.objects.filter(user_id=user_id, variant=variant).order_by("-id")
    return changes.select_related("rated__match").prefetch_related("rated__match__seats__user")


def last_changes(user_id: int) -> QuerySet[RatingChange]:
    """Return the changes by the member's last `LAST_MATCHES` rated matches, of both variants."""
    changes = RatingChange.objects.filter(user_id=user_id).order_by("-id")[:LAST_MATCHES]
    return changes.select_related("rated__match").prefetch_related("rated__match__seats__user")


def last_change(user_id: int) -> RatingChange | None:
    return RatingChange.objects.filter(user_id=user_id).order_by("-id").first()


def last_ratings(user_id: int, variant: str, count: int) -> list[int]:
    """Return the ratings before and after the last `count` matches, oldest first; may be empty."""
    changes = RatingChange.objects.filter(user_id=user_id, variant=variant).order_by("-id")
    return ratings_through(list(changes.only("before", "change")[:count]))


def ratings_through(changes: Sequence[RatingChange]) -> list[int]:
    """Return the ratings before and after consecutive changes, which are given latest first."""
    if not changes:
        return []
    return [rounded(changes[-1].before), *(rounded(each.after) for each in reversed(changes))]


def change_of(public_id: str, user_id: int) -> RatingChange | None:
    """Return the rating change by one match; None if the match waits or does not count."""
    changes = RatingChange.objects.filter(rated__match__public_id=public_id, user_id=user_id)
    return changes.first()


def is_latest(change: RatingChange) -> bool:
    """Return True unless a later match has changed this rating."""
    later = RatingChange.objects.filter(user_id=change.user_id, variant=change.variant)
    return not later.filter(pk__gt=change.pk).exists()


def waits_for_rating(public_id: str, user_id: int) -> bool:
    """Return True if the player's finished match counts and is not rated yet."""
    waiting = RatedMatch.objects.filter(match__public_id=public_id, place__isnull=True)
    return waiting.filter(match__seats__user_id=user_id).exists()


def is_left_unrated(public_id: str, user_id: int) -> bool:
    """Return True if the player's finished match has a result but does not count for the rating."""
    kinds = kinds_where(lambda kind: kind.is_rated)
    ended = Match.objects.filter(public_id=public_id, kind__in=kinds, finished_at__isnull=False)
    counted = ended.exclude(outcome=MatchCause.VOID.value).filter(seats__user_id=user_id)
    return counted.filter(rated__isnull=True).exists()


def ratings_of(user_id: int) -> dict[str, int]:
    """Return the rating in each variant, rounded for display."""
    ratings = dict(Rating.objects.filter(user_id=user_id).values_list("variant", "rating"))
    return {variant.value: rounded(ratings.get(variant.value, START)) for variant in Variant}


def rounded(rating: Decimal) -> int:
    return int(rating.to_integral_value(ROUND_HALF_UP))
