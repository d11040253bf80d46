"""The open tables of a tournament's round, and when the last of them ends.

The clocks and the score bound the time of a match: a turn takes its delay at most, or else uses up
reserve, and the points that both sides still need bound the number of games. But nothing bounds
the turns of a game: a checker may be hit again and again. So the latest end is computed for lengthy
games; hardly any game has more turns (`turns_of_lengthy_games`).
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil, sqrt
from typing import NamedTuple

from games.engine.match.state import IN_GAME
from games.engine.rules import Rules, Variant
from games.rulebook.summary import likely_minutes
from games.services.matches import JOIN_WINDOW
from games.services.next_deadline import NEXT_GAME_AFTER
from tournaments import states
from tournaments.models import Fixture, Tournament
from tournaments.services.tables import decider_of

# Turns of both sides in a usual game, and those that a lengthy game has in addition. 1 game in
# 1000 has still more; counted in 3000 games of our nets.
_TURNS = {Variant.SHORT: (55, 75), Variant.LONG: (92, 23)}
# Paths from a fixture, in the order of the fields of `OpenTable`.
_FIELDS = (
    "first_id", "second_id", "match__public_id", "match__snapshot__score", "drawn_match_id",
    "join_by", "match__created_at", "match__started_at", "match__phase", "match__snapshot__at_ms",
    "match__snapshot__turns", "match__snapshot__clock__reserve_ms",
)  # fmt: skip


class OpenTable(NamedTuple):
    """An undecided fixture with its match; `match` is the public id.

    The fields of the match are None until it is created. `turns` are the turns of the current
    game by side; `at_ms` is the time from `created_at` to the last action.
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
    """When a round ends: as expected, and at the latest.

    At the latest means that all games left are lengthy and all clocks are used up. `expected_at` is
    None once it has passed.
    """

    expected_at: datetime | None
    latest_at: datetime


def open_tables(tournament: Tournament) -> list[OpenTable]:
    """Return the fixtures of a running tournament that are not decided.

    A tournament that was called off keeps such fixtures, but nobody plays them.
    """
    if tournament.state != states.RUNNING:
        return []
    found = Fixture.objects.filter(round__tournament=tournament, finished_at__isnull=True)
    return [OpenTable(*row) for row in found.order_by("number").values_list(*_FIELDS)]


def round_end(tables: Sequence[OpenTable], rules: Rules, now: datetime) -> RoundEnd | None:
    """Return when the last open table of a round ends; None if there is none."""
    if not tables:
        return None
    with_rules = [(each, decider_of(rules) if each.drawn_match_id else rules) for each in tables]
    expected_at = max(_expected(table, its_rules, now) for table, its_rules in with_rules)
    latest_at = max(_latest(table, its_rules, now) for table, its_rules in with_rules)
    return RoundEnd(expected_at if expected_at > now else None, latest_at)


def turns_of_lengthy_games(games: int, variant: Variant) -> int:
    """Return a number of turns that this number of games hardly ever exceeds.

    Games are independent, so the turns in addition to the usual ones grow with the square root of
    the number of games.
    """
    usual, more = _TURNS[variant]
    return ceil(games * usual + more * sqrt(games))


def _expected(table: OpenTable, rules: Rules, now: datetime) -> datetime:
    begins = table.started_at or _joined_by(table, now)
    return begins + timedelta(minutes=likely_minutes(rules))


def _latest(table: OpenTable, rules: Rules, now: datetime) -> datetime:
    """Return the end of the match if it has all games that the score allows, all of them lengthy.

    Every turn is counted with its full delay, and both reserves are used up.
    """
    assert rules.length is not None
    assert rules.delay_ms is not None
    assert rules.reserve_ms is not None
    games = sum(rules.length - points for points in table.score or (0, 0)) - 1
    turns = turns_of_lengthy_games(games, rules.variant) - _turns_played(table, rules)
    reserve_ms = sum(table.reserve_ms or (rules.reserve_ms, rules.reserve_ms))
    left = timedelta(milliseconds=turns * rules.delay_ms + reserve_ms)
    return _last_known(table, now) + left + (games - 1) * NEXT_GAME_AFTER


def _turns_played(table: OpenTable, rules: Rules) -> int:
    """Return the turns played in the current game, at most one fewer than a lengthy game has.

    So at least one turn is always left.
    """
    if table.phase not in IN_GAME:
        return 0
    return min(sum(table.turns or ()), turns_of_lengthy_games(1, rules.variant) - 1)


def _last_known(table: OpenTable, now: datetime) -> datetime:
    """Return the moment at which the clock stood at `reserve_ms`."""
    if table.started_at is None or table.created_at is None or table.at_ms is None:
        return _joined_by(table, now)
    return table.created_at + timedelta(milliseconds=table.at_ms)


def _joined_by(table: OpenTable, now: datetime) -> datetime:
    return table.join_by or now + JOIN_WINDOW
