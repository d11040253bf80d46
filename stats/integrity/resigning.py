"""Members who give up matches for credits early, again and again to the same opponent."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet

from stats.integrity.findings import DAYS, Finding, for_credits, matches_between, since
from stats.integrity.one_way import is_given_up
from stats.models import Evidence, PlayedMatch

KIND = Evidence.Kind.RESIGNING
# Giving up is early if the player has rolled no more often than this: few matches are lost by then.
EARLY_ROLLS = 5
# The least number of matches given up early against one opponent, and the least percentage that
# they are of all matches lost to that opponent.
LEAST_EARLY, LEAST_PERCENT = 3, 60


def about(user_ids: Collection[int], now: datetime) -> list[Finding]:
    """Return a finding for each ordered pair of these members whose first lost to the second."""
    return [
        _finding(row, now) for row in _lost(now).filter(user__in=user_ids, opponent__in=user_ids)
    ]


def striking(now: datetime) -> list[Finding]:
    rows = _lost(now).filter(early__gte=LEAST_EARLY)
    return [_finding(row, now) for row in rows if _is_striking(row)]


def _lost(now: datetime) -> "QuerySet[Any, Any]":
    given_up = is_given_up("match__")
    rows = for_credits(since(now)).filter(result=PlayedMatch.Result.LOST).order_by()
    return rows.values("user", "opponent").annotate(
        lost=Count("pk"),
        given_up=Count("pk", filter=given_up),
        early=Count("pk", filter=given_up & Q(rolls__lte=EARLY_ROLLS)),
    )


def _is_striking(row: dict[str, Any]) -> bool:
    is_often = 100 * row["early"] >= LEAST_PERCENT * row["lost"]
    return bool(row["early"] >= LEAST_EARLY and is_often)


def _finding(row: dict[str, Any], now: datetime) -> Finding:
    pair = (row["user"], row["opponent"])
    figures = {
        "days": DAYS,
        "lost": row["lost"],
        "given_up": row["given_up"],
        "early": row["early"],
        "matches": matches_between(*pair, now),
    }
    return Finding(KIND, pair, figures, _is_striking(row))
