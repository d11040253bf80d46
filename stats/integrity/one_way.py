"""One-way flows of credits: pairs of members in which one of the two nearly always pays.

Losing on purpose moves credits to a friend or to a second account. The site opens a case about such
a pair, and staff decide it.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Case, Count, F, FilteredRelation, Max, OuterRef, Q, Subquery, Sum, When
from django.db.models.lookups import Exact

from accounts.models import User
from games.engine.match.state import GameCause, MatchCause
from games.engine.sides import Side
from games.models import Game, Match
from games.models.kind import kinds_where

MAX_PAIRS = 100  # pairs that `flows` returns at most
# No match for credits takes this long. So the query for matches by `finished_at`, which has no
# index, also bounds `created_at`, which has one.
LONGEST_MATCH = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Threshold:
    """Figures that a pair must reach to be shown to staff.

    They are about the matches that ended in the last `days`. `matches` is the number of those that
    were not drawn, `percent` the share of them that one of the two won, and `credits` the total
    gain of that member after the rake.
    """

    days: int
    matches: int
    percent: int
    credits: int


# By chance, 1 of 8 pairs of equal strength reaches 4 wins in 4 matches, 1 of 128 reaches 8 in 8.
THRESHOLD = Threshold(days=30, matches=4, percent=90, credits=300)


@dataclass(frozen=True, slots=True)
class Flow:
    """A pair with the figures of the gainer; `latest_id` is the last match that the gainer won."""

    gainer: User
    payer: User
    matches: int
    won: int
    given_up: int
    credits: int
    latest_id: int

    @property
    def percent(self) -> int:
        return 100 * self.won // self.matches


def flows(now: datetime, threshold: Threshold = THRESHOLD) -> list[Flow]:
    """Return the pairs that reach the threshold, the largest gain first, `MAX_PAIRS` at most."""
    since = now - timedelta(days=threshold.days)
    least = -(-threshold.matches * threshold.percent // 100)
    high = Q(won__gte=least, gained__gte=threshold.credits)
    rows = {(row["gainer"], row["payer"]): row for row in _directed(since, having=high)}
    people = {user_id for pair in rows for user_id in pair}
    among = Q(white__user__in=people, black__user__in=people)
    back = {(row["payer"], row["gainer"]): row for row in _directed(since, among)}
    members = User.objects.in_bulk(people)
    found = [_flow(row, back.get(pair), members) for pair, row in rows.items()]
    found = [flow for flow in found if reaches(flow, threshold)]
    return sorted(found, key=lambda flow: -flow.credits)[:MAX_PAIRS]


def between(user_ids: Collection[int], now: datetime, days: int = THRESHOLD.days) -> list[Flow]:
    """Return a flow for each pair of these members that has a decided match for credits."""
    among = Q(white__user__in=user_ids, black__user__in=user_ids)
    rows = {
        (row["gainer"], row["payer"]): row for row in _directed(now - timedelta(days=days), among)
    }
    members = User.objects.in_bulk(user_ids)
    found: dict[frozenset[int], Flow] = {}
    for (gainer, payer), row in rows.items():
        flow, pair = _flow(row, rows.get((payer, gainer)), members), frozenset((gainer, payer))
        if pair not in found or flow.credits > found[pair].credits:
            found[pair] = flow
    return list(found.values())


def reaches(flow: Flow, threshold: Threshold = THRESHOLD) -> bool:
    return (
        flow.matches >= threshold.matches
        and 100 * flow.won >= threshold.percent * flow.matches
        and flow.credits >= threshold.credits
    )


def is_given_up(prefix: str = "") -> Q:
    """Return the condition that the loser gave the match up, or resigned the game that decided it.

    `prefix` leads to the match, as `match__`. A dropped double is ordinary play and does not count.
    """
    last = Game.objects.filter(match=OuterRef(f"{prefix}pk")).order_by("-number")
    is_resigned = Exact(Subquery(last.values("cause")[:1]), GameCause.RESIGN.value)
    given_up = (MatchCause.RESIGN_MATCH.value, MatchCause.LEAVE.value)
    by_points = Q(**{f"{prefix}outcome": MatchCause.POINTS.value})
    return Q(**{f"{prefix}outcome__in": given_up}) | by_points & Q(is_resigned)


def _flow(row: dict[str, Any], back: dict[str, Any] | None, members: dict[int, User]) -> Flow:
    lost, paid = (back["won"], back["lost"]) if back else (0, 0)
    return Flow(
        gainer=members[row["gainer"]],
        payer=members[row["payer"]],
        matches=row["won"] + lost,
        won=row["won"],
        given_up=row["given_up"],
        credits=row["gained"] - paid,
        latest_id=row["latest"],
    )


def _directed(
    since: datetime, among: Q | None = None, having: Q | None = None
) -> list[dict[str, Any]]:
    """Return a row for each ordered pair of winner and loser.

    `won` is the number of matches, `given_up` how many of them the loser gave up; `gained` and
    `lost` are the credits of winner and loser. `among` filters the matches, `having` the rows.
    """
    staked = kinds_where(lambda kind: kind.is_staked)
    matches = Match.objects.filter(
        kind__in=staked, finished_at__gte=since, created_at__gte=since - LONGEST_MATCH
    ).exclude(winner="")
    seated = matches.annotate(
        white=FilteredRelation("seats", condition=Q(seats__side=Side.WHITE.value)),
        black=FilteredRelation("seats", condition=Q(seats__side=Side.BLACK.value)),
    ).filter(among or Q())
    is_white = Q(winner=Side.WHITE.value)
    pairs = seated.annotate(
        gainer=Case(When(is_white, then=F("white__user")), default=F("black__user")),
        payer=Case(When(is_white, then=F("black__user")), default=F("white__user")),
    )
    rows = (
        pairs.order_by()
        .values("gainer", "payer")
        .annotate(
            won=Count("pk"),
            given_up=Count("pk", filter=is_given_up()),
            gained=Sum(F("stake_credits") - F("rake_credits")),
            lost=Sum("stake_credits"),
            latest=Max("pk"),
        )
    )
    return [dict(row) for row in rows.filter(having or Q())]
