"""Queries about strikes: the suspension in force, and the report for the member's own page."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta

from games.conduct.penalties import (
    FORGOTTEN_AFTER,
    WeightedStrike,
    next_suspension,
    suspended_until,
    warning_only_from,
    weight_of,
)
from games.models import Strike

# Age up to which strikes are read; lifted and forgotten ones stay in the report until then.
READ_FOR = 2 * FORGOTTEN_AFTER


@dataclass(frozen=True, slots=True)
class StrikeLine:
    """One strike; `percent` is its present weight, 100 = a new strike of weight 1."""

    strike: Strike
    percent: int


@dataclass(frozen=True, slots=True)
class ConductReport:
    """A member's strikes and their consequences.

    `next_suspension`: the length that another strike of weight 1 would bring, after the end of the
    suspension in force. From `warning_only_from` on, another strike would bring a warning only.
    """

    lines: list[StrikeLine]
    suspended_until: datetime | None
    next_suspension: timedelta
    warning_only_from: datetime

    @property
    def is_clean(self) -> bool:
        return not self.next_suspension and self.suspended_until is None


def weighted(strike: Strike) -> WeightedStrike:
    return WeightedStrike(strike.created_at, Strike.WEIGHTS[Strike.Kind(strike.kind)])


def suspension_of(user_id: int, now: datetime) -> datetime | None:
    """Return when the member's suspension from games for credits ends; None if there is none."""
    return suspensions_of([user_id], now)[user_id]


def suspensions_of(user_ids: Collection[int], now: datetime) -> dict[int, datetime | None]:
    """Return for each of the members what `suspension_of` returns."""
    rows = Strike.objects.filter(user__in=user_ids, lifted_at__isnull=True)
    standing: dict[int, list[WeightedStrike]] = {user_id: [] for user_id in user_ids}
    for strike in rows.filter(created_at__gt=now - READ_FOR):
        standing[strike.user_id].append(weighted(strike))
    return {user_id: suspended_until(strikes, now) for user_id, strikes in standing.items()}


def report_of(user_id: int, now: datetime) -> ConductReport:
    """Return the member's report, the newest strike first."""
    rows = Strike.objects.filter(user_id=user_id, created_at__gt=now - READ_FOR)
    strikes = list(rows.select_related("match").prefetch_related("match__seats__user"))
    standing = [weighted(strike) for strike in strikes if strike.lifted_at is None]
    lines = [
        StrikeLine(strike, 0 if strike.lifted_at else round(100 * weight_of(weighted(strike), now)))
        for strike in strikes
    ]
    until = suspended_until(standing, now)
    # A suspended member cannot get another strike before the suspension ends.
    return ConductReport(
        lines, until, next_suspension(standing, until or now), warning_only_from(standing, now)
    )
