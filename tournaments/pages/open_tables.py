"""The open tables of a tournament's round, and when the last of them ends.

A turn takes its delay at most, and reserve beyond it; the points that both sides still need bound
the games of a match. Nothing bounds the turns of a game: a checker may be hit again and again. So
the latest end counts on long games (`turns_of_long_games`), which hardly any exceed.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil, sqrt
from typing import NamedTuple

from games.engine.match.state import IN_GAME
from games.engine.rules import Rules, Variant
from games.rulebook.summary import likely_minutes
from games.services.matches import TIME_TO_COME
from games.services.next_deadline import NEXT_GAME_AFTER
from tournaments.models import Fixture, Tournament
from tournaments.services.tables import decider_of

# Turns of both sides in a usual game, and how many more a long one has, which 1 game in 1000
# exceeds; counted in 3000 games of our nets.
_TURNS = {Variant.SHORT: (55, 75), Variant.LONG: (92, 23)}
# Paths from a fixture, in the order of the fields of `OpenTable`.
_FIELDS = (
    "first_id", "second_id", "match__public_id", "match__snapshot__score", "drawn_match_id",
    "join_by", "match__created_at", "match__started_at", "match__phase", "match__snapshot__at_ms",
    "match__snapshot__turns", "match__snapshot__clock__reserve_ms",
)  # fmt: skip


class OpenTable(NamedTuple):
    """A fixture in play; `match` is a public id. Facts of the match are None until it is created.

    `turns` are those of the game, `at_ms` the time of the last action since `created_at`.
    """

    first_id: int
    second_id: int
    match: str | None
    score: list[int] | None
    drawn_match_id: int | None
    join_by: datetime | None
    created_at: datetime | None
    started_at: datetime | None
    phase: str | None
    at_ms: int | None
    turns: list[int] | None
    reserve_ms: list[int] | None


class RoundEnd(NamedTuple):
    """`expected_at` is None once it has passed; `latest_at` is when all clocks are used up."""

    expected_at: datetime | None
    latest_at: datetime


def open_tables(tournament: Tournament) -> list[OpenTable]:
    """Return the fixtures of the round that are not decided."""
    found = Fixture.objects.filter(round__tournament=tournament, finished_at__isnull=True)
    return [OpenTable(*row) for row in found.order_by("number").values_list(*_FIELDS)]


def round_end(tables: Sequence[OpenTable], rules: Rules, now: datetime) -> RoundEnd | None:
    """Return when the last open table of a round ends; None without any."""
    if not tables:
        return None
    played = [(each, decider_of(rules) if each.drawn_match_id else rules) for each in tables]
    expected_at = max(_expected(table, of, now) for table, of in played)
    latest_at = max(_latest(table, of, now) for table, of in played)
    return RoundEnd(expected_at if expected_at > now else None, latest_at)


def turns_of_long_games(games: int, variant: Variant) -> int:
    """Return the turns that so many games together hardly ever exceed.

    Games are independent, so what they have beyond the usual grows with the root of their number.
    """
    usual, more = _TURNS[variant]
    return ceil(games * usual + more * sqrt(games))


def _expected(table: OpenTable, rules: Rules, now: datetime) -> datetime:
    begins = table.started_at or _joined_by(table, now)
    return begins + timedelta(minutes=likely_minutes(rules))


def _latest(table: OpenTable, rules: Rules, now: datetime) -> datetime:
    """Add up the reserves and the turns of as many long games as the match can still have."""
    assert rules.length is not None
    assert rules.delay_ms is not None
    assert rules.reserve_ms is not None
    games = sum(rules.length - points for points in table.score or (0, 0)) - 1
    turns = turns_of_long_games(games, rules.variant) - _turns_played(table, rules)
    reserve_ms = sum(table.reserve_ms or (rules.reserve_ms, rules.reserve_ms))
    left = timedelta(milliseconds=turns * rules.delay_ms + reserve_ms)
    return _last_known(table, now) + left + (games - 1) * NEXT_GAME_AFTER


def _turns_played(table: OpenTable, rules: Rules) -> int:
    """Return the turns of the game in play, fewer than those of a long one."""
    if table.phase not in IN_GAME:
        return 0
    return min(sum(table.turns or ()), turns_of_long_games(1, rules.variant) - 1)


def _last_known(table: OpenTable, now: datetime) -> datetime:
    """Return the moment at which the clock stood at `reserve_ms`."""
    if table.started_at is None or table.created_at is None or table.at_ms is None:
        return _joined_by(table, now)
    return table.created_at + timedelta(milliseconds=table.at_ms)


def _joined_by(table: OpenTable, now: datetime) -> datetime:
    return table.join_by or now + TIME_TO_COME
