"""Sums over a member's reviewed matches by the month of their end, in the reader's zone."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, QuerySet, Sum
from django.db.models.functions import TruncMonth

from games.reviews.totals import PR_FACTOR
from stats.line_graph import LineGraph
from stats.models import ReviewedSeat

# Months that a page shows, the latest ones.
MOST = 36
# The least ranges that the scales of the two graphs span.
PR_RANGE, LUCK_RANGE = 4, 0.4
MATCHES, DECISIONS = Count("pk"), Sum("decisions")


@dataclass(frozen=True, slots=True)
class Month:
    """`luck` is the mean per match of `ReviewedSeat.luck`, in points normalized to the cube."""

    begins_at: datetime
    matches: int
    decisions: int
    pr: float | None
    luck: float


@dataclass(frozen=True, slots=True)
class Skill:
    """The months with a reviewed match of one variant, the earliest first."""

    variant: str
    months: Sequence[Month]

    @property
    def pr(self) -> LineGraph | None:
        values = [month.pr for month in self.months]
        return LineGraph(values, PR_RANGE) if any(pr is not None for pr in values) else None

    @property
    def luck(self) -> LineGraph:
        return LineGraph([month.luck for month in self.months], LUCK_RANGE)


def skill_of(user_id: int, variant: str) -> Skill:
    rows = _counted(user_id).filter(variant=variant).annotate(month=TruncMonth("finished_at"))
    found = rows.values("month").order_by("-month")
    sums: QuerySet[ReviewedSeat, Any] = found.annotate(
        matches=MATCHES, decided=DECISIONS, lost=Sum("loss"), lucky=Sum("luck")
    )[:MOST]
    return Skill(variant, [_month(row) for row in reversed(sums)])


def pr_of(decisions: int, loss: float) -> float | None:
    """Return the error rate; None if there are no decisions."""
    return PR_FACTOR * loss / decisions if decisions else None


def pr_between(user_id: int, variant: str, since: datetime, until: datetime) -> float | None:
    """Return the error rate of the matches that ended in a period."""
    rows = _counted(user_id).filter(variant=variant, finished_at__gte=since, finished_at__lt=until)
    sums = rows.aggregate(decisions=DECISIONS, loss=Sum("loss"))
    return pr_of(sums["decisions"] or 0, sums["loss"] or 0.0)


def _counted(user_id: int) -> QuerySet[ReviewedSeat]:
    return ReviewedSeat.objects.filter(user_id=user_id, is_counted=True)


def _month(row: dict[str, Any]) -> Month:
    luck = row["lucky"] / row["matches"]
    pr = pr_of(row["decided"], row["lost"])
    return Month(row["month"], row["matches"], row["decided"], pr, luck)
