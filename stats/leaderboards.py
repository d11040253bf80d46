"""The leaderboards: by rating, by wins, by net winnings."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Count, F, IntegerField, QuerySet, Sum, Window
from django.db.models.functions import Cast, FirstValue, Rank, Round

from accounts.models import User
from stats.models import Rating, RatingChange
from stats.rating import SETTLED_EXPERIENCE

LENGTH = 50


class By(StrEnum):
    RATING = "rating"
    WINS = "wins"
    WINNINGS = "winnings"


# None: since the beginning.
PERIODS: dict[str, timedelta | None] = {
    "week": timedelta(days=7),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
    "all": None,
}


@dataclass(frozen=True, slots=True)
class Choice:
    """Which board: `country` is a code, or "" for all of them. Ratings know no period."""

    by: By
    variant: str
    period: str = "all"
    country: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A place on a board; equal values share one place."""

    place: int
    user_id: int
    value: int
    user: User | None = None


def board(choice: Choice, now: datetime) -> list[Row]:
    """The first places, with their users and profiles."""
    values = _values(choice, now).values_list("user_id", "value")[:LENGTH]
    users = User.objects.select_related("profile").in_bulk([id for id, _ in values])
    return [
        Row(place, id, value, users[id])
        for place, (id, value) in zip(_places([value for _, value in values]), values, strict=True)
    ]


def place_of(user: User, choice: Choice, now: datetime) -> Row | None:
    """Somebody's own place, wherever it is; None when he is not on the board."""
    ranked = _values(choice, now).annotate(
        place=Window(Rank(), order_by=F("value").desc()),
        # The user again, but as a window: a condition on the plain column would rank him alone.
        whose=Window(FirstValue("user_id"), partition_by=F("user_id")),
    )
    found = ranked.filter(whose=user.pk).values_list("place", "value").first()
    if found is None:
        return None
    place, value = found
    return Row(place, user.pk, value, user)


def _places(values: Sequence[int]) -> list[int]:
    """1, 2, 2, 4: equal values share the better place."""
    return [1 + values.index(value) for value in values]


def _values(choice: Choice, now: datetime) -> QuerySet[Rating | RatingChange, dict[str, int]]:
    """`user_id` and whole `value`, the best first; the tie goes to who was there first."""
    if choice.by is By.RATING:
        return _ratings(choice)
    changes = RatingChange.objects.filter(variant=choice.variant)
    period = PERIODS[choice.period]
    if period is not None:
        changes = changes.filter(rated__finished_at__gt=now - period)
    changes = _from_country(changes, choice.country)
    if choice.by is By.WINS:
        grouped = changes.filter(result=1).values("user_id").annotate(value=Count("id"))
    else:
        shown = changes.filter(user__profile__shows_record=True, user__profile__shows_winnings=True)
        grouped = shown.values("user_id").annotate(value=Sum("net_credits"))
    return grouped.order_by("-value", "user_id")


def _ratings(choice: Choice) -> QuerySet[Rating, dict[str, int]]:
    settled = Rating.objects.filter(variant=choice.variant, experience__gte=SETTLED_EXPERIENCE)
    settled = _from_country(settled, choice.country)
    whole = Cast(Round("rating"), IntegerField())
    return settled.values("user_id").annotate(value=whole).order_by("-rating", "user_id")


def _from_country(rows, country: str):  # type: ignore[no-untyped-def]
    """Members of a country who show it; closed accounts are on no board."""
    rows = rows.filter(user__closed_at__isnull=True)
    if not country:
        return rows
    return rows.filter(user__profile__country=country, user__profile__shows_country=True)
