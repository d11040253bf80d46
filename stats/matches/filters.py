"""The filter of a member's finished matches, for lists and sums."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from stats.models import PlayedMatch

# Days of a period, today included; 0: all.
PERIODS = {"month": 30, "quarter": 91, "year": 365, "all": 0}


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """The choices of the filter; an empty value selects everything.

    `against` is a value of `PlayedMatch.Against` or the level of a computer opponent.
    `only_public` selects the matches that everybody may see.
    """

    user_id: int
    only_public: bool
    variant: str = ""
    category: str = ""
    against: str = ""
    result: str = ""
    since: datetime | None = None
    opponent_id: int | None = None

    @property
    def rows(self) -> QuerySet[PlayedMatch]:
        rows = PlayedMatch.objects.filter(user_id=self.user_id)
        if self.only_public:
            rows = rows.filter(is_public=True)
        if self.against in PlayedMatch.Against:
            rows = rows.filter(against=self.against)
        elif self.against:
            rows = rows.filter(level=self.against)
        if self.since is not None:
            rows = rows.filter(finished_at__gte=self.since)
        if self.opponent_id is not None:
            rows = rows.filter(opponent_id=self.opponent_id)
        chosen = {"variant": self.variant, "category": self.category, "result": self.result}
        return rows.filter(**{name: value for name, value in chosen.items() if value})


def since_of(period: str, now: datetime) -> datetime | None:
    """Return the midnight at which a period begins for the reader; None if it has no beginning."""
    days = PERIODS.get(period, 0)
    if not days:
        return None
    here = timezone.localtime(now) - timedelta(days=days - 1)
    midnight = here.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    return timezone.make_aware(midnight)
