"""The figures of a member's year, read from their finished matches."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import groupby

from django.db.models import Count, QuerySet, Sum

from games.engine.rules import Variant
from stats.achievements.definitions import BY_CODE, Achievement
from stats.models import Award, PlayedMatch, RatingChange
from stats.selectors import rounded
from stats.skill.months import pr_between

FIRST_YEAR = 2020
MOST_ACHIEVEMENTS = 12
_WON, _LOST = PlayedMatch.Result.WON.value, PlayedMatch.Result.LOST.value


@dataclass(frozen=True, slots=True)
class Played:
    """The columns of one match that the recap reads."""

    result: str
    variant: str
    is_with_people: bool
    month: int


@dataclass(frozen=True, slots=True)
class VariantYear:
    """The year's figures of one variant; ratings and error rates are None if they are not known.

    `pr_before` is the error rate of the year before.
    """

    variant: str
    matches: int
    won: int
    rating_before: int | None
    rating_after: int | None
    pr_before: float | None
    pr_now: float | None


@dataclass(frozen=True, slots=True)
class Recap:
    """The year's figures; `longest` is the match with the most rolls of both players.

    `matches` is the number of matches won, lost and drawn. `best_streak` is the largest number of
    wins in a row against people.
    """

    year: int
    matches: int
    won: int
    lost: int
    with_people: int
    opponents: int
    rolls: int
    best_streak: int
    busiest_month: datetime | None
    longest: PlayedMatch | None
    variants: Sequence[VariantYear]
    achievements: Sequence[Achievement]
    net_credits: int

    @property
    def favorite(self) -> str:
        years = self.variants
        return max(years, key=lambda each: each.matches).variant if years else ""

    @property
    def drawn(self) -> int:
        return self.matches - self.won - self.lost

    @property
    def won_percent(self) -> int:
        return round(100 * self.won / self.matches) if self.matches else 0


def bounds_of(year: int, zone: tzinfo) -> tuple[datetime, datetime]:
    """Return the first moments of the year and of the next year."""
    return datetime(year, 1, 1, tzinfo=zone), datetime(year + 1, 1, 1, tzinfo=zone)


def years_of(user_id: int, now: datetime, zone: tzinfo) -> list[int]:
    """Return the years from that of the first finished match to the present one, latest first.

    Years before FIRST_YEAR are left out.
    """
    ends = PlayedMatch.objects.filter(user_id=user_id).order_by("finished_at")
    first = ends.values_list("finished_at", flat=True).first()
    this_year = now.astimezone(zone).year
    first_year = first.astimezone(zone).year if first else this_year
    return list(range(this_year, max(first_year, FIRST_YEAR) - 1, -1))


def recap_of(user_id: int, year: int, zone: tzinfo) -> Recap:
    since, until = bounds_of(year, zone)
    rows = PlayedMatch.objects.filter(
        user_id=user_id, finished_at__gte=since, finished_at__lt=until
    ).exclude(result=PlayedMatch.Result.VOID)
    played = _played(rows, zone)
    sums = rows.aggregate(rolls=Sum("rolls"), net=Sum("net_credits"))
    people = rows.filter(opponent__isnull=False).aggregate(Count("opponent", distinct=True))
    return Recap(
        year=year,
        matches=len(played),
        won=sum(each.result == _WON for each in played),
        lost=sum(each.result == _LOST for each in played),
        with_people=sum(each.is_with_people for each in played),
        opponents=people["opponent__count"],
        rolls=sums["rolls"] or 0,
        best_streak=best_streak(each.result for each in played if each.is_with_people),
        busiest_month=_busiest(played, year, zone),
        longest=rows.order_by("-all_rolls", "pk").first(),
        variants=[_variant_year(user_id, each, played, since, until) for each in _variants(played)],
        achievements=_achievements(user_id, since, until),
        net_credits=sums["net"] or 0,
    )


def best_streak(results: Iterable[str]) -> int:
    """Return the length of the longest run of wins."""
    runs = (len(list(run)) for is_won, run in groupby(results, _WON.__eq__) if is_won)
    return max(runs, default=0)


def _played(rows: QuerySet[PlayedMatch], zone: tzinfo) -> list[Played]:
    computer = PlayedMatch.Against.COMPUTER
    values = rows.order_by("finished_at", "pk").values_list(
        "result", "variant", "against", "finished_at"
    )
    return [
        Played(result, variant, against != computer, at.astimezone(zone).month)
        for result, variant, against, at in values
    ]


def _busiest(played: list[Played], year: int, zone: tzinfo) -> datetime | None:
    """Return a moment that lies in the busiest month in every time zone; None if there is none."""
    months = Counter(each.month for each in played)
    return datetime(year, months.most_common(1)[0][0], 15, tzinfo=zone) if months else None


def _variants(played: list[Played]) -> list[str]:
    """Return the variants played, in the order of `Variant`."""
    there = {each.variant for each in played}
    return [variant.value for variant in Variant if variant.value in there]


def _variant_year(
    user_id: int, variant: str, played: list[Played], since: datetime, until: datetime
) -> VariantYear:
    matches = [each for each in played if each.variant == variant]
    changes = RatingChange.objects.filter(user_id=user_id, variant=variant)
    changes = changes.filter(rated__finished_at__gte=since, rated__finished_at__lt=until)
    first, last = changes.order_by("id").first(), changes.order_by("-id").first()
    return VariantYear(
        variant,
        len(matches),
        sum(each.result == _WON for each in matches),
        rounded(first.before) if first else None,
        rounded(last.after) if last else None,
        pr_between(user_id, variant, since.replace(year=since.year - 1), since),
        pr_between(user_id, variant, since, until),
    )


def _achievements(user_id: int, since: datetime, until: datetime) -> list[Achievement]:
    awards = Award.objects.filter(user_id=user_id, reached_at__gte=since, reached_at__lt=until)
    codes = awards.order_by("reached_at", "pk").values_list("code", flat=True)
    return [BY_CODE[code] for code in codes if code in BY_CODE][:MOST_ACHIEVEMENTS]
