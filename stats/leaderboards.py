"""Leaderboards by rating, wins and net winnings."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.core.cache import cache
from django.db.models import F, IntegerField, Q, QuerySet, Sum, Window
from django.db.models.functions import Cast, Ceil, FirstValue, Rank, Round, RowNumber

from accounts.models import User
from accounts.selectors import by_friends
from stats.kept_totals import totals_of
from stats.models import Rating, RatingChange
from stats.rating import SETTLED_EXPERIENCE

PAGE_ROWS = 50
LAST_PAGE = 10_000  # the highest page number that is shown
COUNTRIES_KEY, COUNTRIES_FOR_S = "leaderboards:countries", 60


class By(StrEnum):
    RATING = "rating"
    WINS = "wins"
    WINNINGS = "winnings"


# The order of rows; the lower user id breaks ties.
_ORDER = {
    By.RATING: ("-rating", "user_id"),
    By.WINS: ("-value", "user_id"),
    By.WINNINGS: ("-value", "user_id"),
}

# A win counts with its weight in the rating; otherwise two friends could take turns giving up all
# day. The sum is first rounded to the stored decimal places, since SQLite's sums are floats, and
# then up, so that nobody with a win is left out.
_WEIGHED_WINS = Cast(Ceil(Round(Sum("weight"), 6)), IntegerField())

# The time before now from which a leaderboard counts matches; None: all time.
PERIODS: dict[str, timedelta | None] = {
    "week": timedelta(days=7),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
    "all": None,
}


@dataclass(frozen=True, slots=True)
class Choice:
    """The choice of a leaderboard; `country` is a code or "", `period` is ignored for ratings.

    With `friends_of`, the id of a member, the leaderboard ranks only that member and their friends.
    """

    by: By
    variant: str
    period: str = "all"
    country: str = ""
    friends_of: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a leaderboard; equal values share one `place`, each has its own `number`."""

    place: int
    number: int
    user_id: int
    value: int
    user: User | None = None

    @property
    def page(self) -> int:
        return (self.number - 1) // PAGE_ROWS + 1


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a leaderboard, with the names that templates know from Django's paginator."""

    number: int
    rows: list[Row]
    has_next: bool

    @property
    def has_previous(self) -> bool:
        return self.number > 1

    @property
    def has_other_pages(self) -> bool:
        return self.has_previous or self.has_next

    @property
    def next_page_number(self) -> int:
        return self.number + 1

    @property
    def previous_page_number(self) -> int:
        return self.number - 1


def page_of(choice: Choice, now: datetime, number: int = 1) -> Page:
    """Return a page of rows with their users and profiles.

    Wins and winnings are cached for a minute, ratings are not. For a page after the last one,
    return the first page: the leaderboard may have become shorter.
    """
    if not 1 <= number <= LAST_PAGE:
        return page_of(choice, now)
    first_place, values = _values_on_page(choice, now, number)
    if number > 1 and not values:
        return page_of(choice, now)
    shown, skipped = values[:PAGE_ROWS], (number - 1) * PAGE_ROWS
    users = User.objects.select_related("profile").in_bulk([id for id, _ in shown])
    places = _places([value for _, value in shown], first_place, skipped)
    rows = [
        Row(place, skipped + index, id, value, users[id])
        for index, (place, (id, value)) in enumerate(zip(places, shown, strict=True), 1)
        if _is_shown(users[id], choice)
    ]
    return Page(number, rows, len(values) > PAGE_ROWS and number < LAST_PAGE)


def countries_there() -> set[str]:
    """Return the codes of the countries that rated members show; cached for a minute."""

    def read() -> set[str]:
        rated = Rating.objects.filter(
            user__is_active=True, user__closed_at=None, user__profile__shows_country=True
        )
        codes = rated.values_list("user__profile__country", flat=True).distinct()
        return {str(code) for code in codes if code}

    return cache.get_or_set(COUNTRIES_KEY, read, COUNTRIES_FOR_S) or set()


def _values_on_page(
    choice: Choice, now: datetime, number: int
) -> tuple[int, list[tuple[int, int]]]:
    """Return the place of the page's first row; (user id, value) of its rows and the next row."""

    def add_up() -> tuple[int, list[tuple[int, int]]]:
        start = (number - 1) * PAGE_ROWS
        values = _values(choice, now)
        found = list(values.values_list("user_id", "value")[start : start + PAGE_ROWS + 1])
        if not start or not found:
            return 1, found
        return 1 + values.filter(value__gt=found[0][1]).count(), found

    if choice.by is By.RATING:
        return add_up()
    return totals_of(f"{_name(choice)}:page:{number}", now, add_up)


def _name(choice: Choice) -> str:
    name = f"{choice.by}:{choice.variant}:{choice.period}:{choice.country}"
    return name if choice.friends_of is None else f"{name}:friends:{choice.friends_of}"


def _is_shown(user: User, choice: Choice) -> bool:
    """Return whether the account, as it is now, may be shown.

    Kept totals may be older than a ban or the member's choice to hide.
    """
    profile = user.profile
    is_gone = user.closed_at is not None or not user.is_active
    if is_gone or (choice.country and not profile.shows_country):
        return False
    return choice.by is not By.WINNINGS or not profile.hides_winnings


def place_of(user: User, choice: Choice, now: datetime) -> Row | None:
    """Return the user's own row, whatever its page; None if they are not on the leaderboard."""
    if choice.by is By.RATING:
        found = _rank_of(user.pk, choice, now)
    else:
        name = f"{_name(choice)}:{user.pk}"
        found = totals_of(name, now, lambda: _rank_of(user.pk, choice, now))
    if found is None or not _is_shown(user, choice):
        return None
    place, number, value = found
    return Row(place, number, user.pk, value, user)


class Absence(StrEnum):
    """The reason why a member is not on a leaderboard."""

    HIDES_WINNINGS = "hides_winnings"
    HIDES_COUNTRY = "hides_country"
    OTHER_COUNTRY = "other_country"
    UNSETTLED = "unsettled"
    NO_WINS = "no_wins"
    NO_MATCHES = "no_matches"


def absence_of(user: User, choice: Choice) -> Absence:
    """Return why `place_of` did not find the member; the profile is checked before the matches."""
    profile = user.profile
    if choice.by is By.WINNINGS and profile.hides_winnings:
        return Absence.HIDES_WINNINGS
    if choice.country and str(profile.country) != choice.country:
        return Absence.OTHER_COUNTRY
    if choice.country and not profile.shows_country:
        return Absence.HIDES_COUNTRY
    return {By.RATING: Absence.UNSETTLED, By.WINS: Absence.NO_WINS}.get(
        choice.by, Absence.NO_MATCHES
    )


def _rank_of(user_id: int, choice: Choice, now: datetime) -> tuple[int, int, int] | None:
    """Return the user's place, the number of their row and the value; None if not ranked."""
    ranked = _values(choice, now).annotate(
        place=Window(Rank(), order_by=F("value").desc()),
        number=Window(RowNumber(), order_by=_ORDER[choice.by]),
        # A window, since a condition on the plain column would filter before the ranking.
        whose=Window(FirstValue("user_id"), partition_by=F("user_id")),
    )
    return ranked.filter(whose=user_id).values_list("place", "number", "value").first()


def _places(values: Sequence[int], first: int, skipped: int) -> list[int]:
    """Rank sorted values as 1, 2, 2, 4: equal values share the better place.

    `first` is the place of the first value, and `skipped` the number of values before it.
    """
    indexes = [values.index(value) for value in values]
    return [skipped + 1 + index if index else first for index in indexes]


def _values(choice: Choice, now: datetime) -> QuerySet[Rating | RatingChange, dict[str, int]]:
    """Return `user_id` and integer `value` of rows, the best first; a lower user id breaks ties."""
    if choice.by is By.RATING:
        return _ratings(choice)
    changes = RatingChange.objects.filter(variant=choice.variant)
    period = PERIODS[choice.period]
    if period is not None:
        changes = changes.filter(rated__finished_at__gt=now - period)
    changes = _among(changes, choice)
    if choice.by is By.WINS:
        grouped = changes.filter(result=1).values("user_id").annotate(value=_WEIGHED_WINS)
    else:
        shown = changes.filter(user__profile__shows_record=True, user__profile__shows_winnings=True)
        grouped = shown.values("user_id").annotate(value=Sum("net_credits"))
    return grouped.order_by(*_ORDER[choice.by])


def _ratings(choice: Choice) -> QuerySet[Rating, dict[str, int]]:
    settled = Rating.objects.filter(variant=choice.variant, experience__gte=SETTLED_EXPERIENCE)
    settled = _among(settled, choice)
    whole = Cast(Round("rating"), IntegerField())
    return settled.values("user_id").annotate(value=whole).order_by(*_ORDER[By.RATING])


def _among(rows, choice: Choice):  # type: ignore[no-untyped-def]
    """Leave out banned and closed accounts; keep only the chosen friends or country."""
    rows = rows.filter(user__is_active=True, user__closed_at__isnull=True)
    if choice.friends_of is not None:
        rows = rows.filter(Q(user=choice.friends_of) | by_friends(choice.friends_of, "user"))
    if choice.country:
        rows = rows.filter(user__profile__country=choice.country, user__profile__shows_country=True)
    return rows
