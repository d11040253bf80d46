"""Findings of the checks of the records: figures about one or two members."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q, QuerySet

from games.models import Match
from stats.models import PlayedMatch

# Days of records that a check reads, unless its own module says otherwise.
DAYS = 30
MOST_MATCHES = 20  # matches named with a finding, the latest ones


@dataclass(frozen=True, slots=True)
class Finding:
    """Figures about members, as JSON; `matches` in them are public ids, `days` the time they cover.

    `is_striking`: the figures are beyond the thresholds of their module, so the nightly command
    opens a case.
    """

    kind: str
    people: tuple[int, ...]
    figures: dict[str, Any]
    is_striking: bool


# A check of given members (`About`) returns all findings; a check of all members (`Striking`)
# returns only the striking ones.
About = Callable[[Collection[int], datetime], list[Finding]]
Striking = Callable[[datetime], list[Finding]]


def for_credits(since: datetime) -> QuerySet[PlayedMatch]:
    """Return the rows of matches for credits that ended at `since` or later, without void ones."""
    rows = PlayedMatch.objects.filter(
        category=PlayedMatch.Category.CREDITS, finished_at__gte=since, opponent__isnull=False
    )
    return rows.exclude(result=PlayedMatch.Result.VOID)


def since(now: datetime, days: int = DAYS) -> datetime:
    return now - timedelta(days=days)


def matches_of(condition: Q, now: datetime, days: int = DAYS) -> list[str]:
    """Return the public ids of the latest matches for credits, the newest first.

    `condition` selects their rows.
    """
    rows = for_credits(since(now, days)).filter(condition).order_by("-finished_at", "-pk")
    ids = list(rows.values_list("match_id", flat=True)[:MOST_MATCHES])
    public = dict(Match.objects.filter(pk__in=ids).values_list("pk", "public_id"))
    return [public[match_id] for match_id in ids]


def matches_between(one_id: int, other_id: int, now: datetime) -> list[str]:
    return matches_of(Q(user_id=one_id, opponent_id=other_id), now)
