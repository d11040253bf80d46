"""Members who err far less for credits than they do otherwise, by their reviewed matches.

Players try harder for credits, but hardly anybody halves their error rate without the help of a
program.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum

from games.models.kind import kinds_where
from stats.integrity.findings import Finding, matches_of, since
from stats.models import Evidence, ReviewedSeat
from stats.skill.months import pr_of

KIND = Evidence.Kind.STRENGTH
DAYS = 90
# The fewest decisions, in matches for credits and in other matches each, for which error rates are
# compared.
LEAST_DECISIONS = 200
# A rate for credits is striking if it is at most this percentage of the other rate, and lower by at
# least this difference.
MOST_PERCENT, LEAST_BELOW = 50, 4.0


def about(user_ids: Collection[int], now: datetime) -> list[Finding]:
    """Return one finding for each member and variant with reviewed matches for credits."""
    return [_finding(row, now) for row in _rates(now).filter(user__in=user_ids, played__gt=0)]


def striking(now: datetime) -> list[Finding]:
    enough = Q(stake_decisions__gte=LEAST_DECISIONS, other_decisions__gte=LEAST_DECISIONS)
    return [_finding(row, now) for row in _rates(now).filter(enough) if _is_striking(row)]


def _rates(now: datetime) -> "QuerySet[Any, Any]":
    staked = Q(seat__match__kind__in=kinds_where(lambda kind: kind.is_staked))
    rows = ReviewedSeat.objects.filter(is_counted=True, finished_at__gte=since(now, DAYS))
    return (
        rows.order_by()
        .values("user", "variant")
        .annotate(
            played=Count("pk", filter=staked),
            stake_decisions=Sum("decisions", filter=staked, default=0),
            stake_loss=Sum("loss", filter=staked, default=0.0),
            other_decisions=Sum("decisions", filter=~staked, default=0),
            other_loss=Sum("loss", filter=~staked, default=0.0),
        )
    )


def _is_striking(row: dict[str, Any]) -> bool:
    if min(row["stake_decisions"], row["other_decisions"]) < LEAST_DECISIONS:
        return False
    stake, other = _pr(row, "stake"), _pr(row, "other")
    assert stake is not None
    assert other is not None
    return 100 * stake <= MOST_PERCENT * other and other - stake >= LEAST_BELOW


def _pr(row: dict[str, Any], part: str) -> float | None:
    return pr_of(row[f"{part}_decisions"], row[f"{part}_loss"])


def _finding(row: dict[str, Any], now: datetime) -> Finding:
    stake, other = _pr(row, "stake"), _pr(row, "other")
    figures = {
        "days": DAYS,
        "variant": row["variant"],
        "played": row["played"],
        "stake_rate": None if stake is None else round(stake, 1),
        "stake_decisions": row["stake_decisions"],
        "other_rate": None if other is None else round(other, 1),
        "other_decisions": row["other_decisions"],
        "matches": matches_of(Q(user_id=row["user"], variant=row["variant"]), now, DAYS),
    }
    return Finding(KIND, (row["user"],), figures, _is_striking(row))
