"""Sums over a member's finished matches, by one query for all tables of a page."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Self

from django.db.models import Count, Sum

from games.bots.opponents import OPPONENTS
from games.engine.rules import Variant
from stats.matches.filters import MatchFilter
from stats.models import PlayedMatch

_SUMMED = (
    "games_won", "games_lost", "mars_won", "mars_lost", "rolls", "doublets", "pips"
)  # fmt: skip
_CREDITS = ("net_credits", "fee_credits")
_GROUPED = ("category", "against", "level", "variant", "result")

Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Total:
    """Counts of matches. `query`, added to the filter of the page, selects them in the list.

    `void` is the number of void matches, which `played` leaves out.
    """

    title: Any
    query: dict[str, str]
    won: int
    lost: int
    drawn: int
    void: int

    @classmethod
    def of(cls, title: Any, query: dict[str, str], rows: Iterable[Row]) -> Self:
        counts = dict.fromkeys(PlayedMatch.Result.values, 0)
        for row in rows:
            counts[row["result"]] += row["matches"]
        result = PlayedMatch.Result
        won, lost, drawn = (counts[each] for each in (result.WON, result.LOST, result.DRAWN))
        return cls(title, query, won, lost, drawn, counts[result.VOID])

    @property
    def played(self) -> int:
        return self.won + self.lost + self.drawn

    @property
    def won_percent(self) -> int:
        return round(100 * self.won / self.played) if self.played else 0


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over matches that are not void; credits are those of matches for a stake."""

    games_won: int
    games_lost: int
    mars_won: int
    mars_lost: int
    rolls: int
    doublets: int
    pips: int
    won_credits: int
    lost_credits: int
    fee_credits: int

    @property
    def doublet_percent(self) -> float:
        return 100 * self.doublets / self.rolls if self.rolls else 0.0

    @property
    def pips_a_roll(self) -> float:
        return self.pips / self.rolls if self.rolls else 0.0


@dataclass(frozen=True, slots=True)
class Statistics:
    total: Total
    void: int
    by_category: list[Total]
    by_variant: list[Total]
    by_opponent: list[Total]
    sums: Sums


def statistics_of(chosen: MatchFilter) -> Statistics:
    """Return the sums over the chosen matches."""
    groups = chosen.rows.order_by().values(*_GROUPED)
    found: list[Row] = list(
        groups.annotate(matches=Count("pk"), **{name: Sum(name) for name in _SUMMED + _CREDITS})
    )
    counted = [row for row in found if row["result"] != PlayedMatch.Result.VOID]
    return Statistics(
        Total.of("", {}, counted),
        sum(row["matches"] for row in found) - sum(row["matches"] for row in counted),
        _totals(counted, "category", PlayedMatch.Category.choices),
        _totals(counted, "variant", [(each.value, each.value) for each in Variant]),
        # The first two choices are members and guests; computer opponents follow by level.
        _totals(counted, "against", PlayedMatch.Against.choices[:2]) + _levels(counted),
        _sums(counted),
    )


def record_of(chosen: MatchFilter) -> Total:
    """Return the counts of the chosen matches."""
    rows = chosen.rows.order_by().values("result").annotate(matches=Count("pk"))
    return Total.of("", {}, [dict(row) for row in rows])


def _totals(rows: list[Row], name: str, choices: Iterable[tuple[str, Any]]) -> list[Total]:
    """Return a total for each of the choices that occurs in the column `name`."""
    return [
        Total.of(title, {name: value}, [row for row in rows if row[name] == value])
        for value, title in choices
        if any(row[name] == value for row in rows)
    ]


def _levels(rows: list[Row]) -> list[Total]:
    """Return a total for each computer opponent, the weakest first."""
    names = [(bot.value, bot.title) for bot in OPPONENTS]
    levels = _totals(rows, "level", names)
    return [replace(each, query={"against": each.query["level"]}) for each in levels]


def _sums(rows: list[Row]) -> Sums:
    staked = [row for row in rows if row["category"] == PlayedMatch.Category.CREDITS]
    won = [row for row in staked if row["result"] == PlayedMatch.Result.WON]
    lost = [row for row in staked if row["result"] == PlayedMatch.Result.LOST]
    return Sums(
        **{name: _sum(rows, name) for name in _SUMMED},
        won_credits=_sum(won, "net_credits"),
        lost_credits=-_sum(lost, "net_credits"),
        fee_credits=_sum(won, "fee_credits"),
    )


def _sum(rows: list[Row], name: str) -> int:
    return sum(row[name] for row in rows)
