"""Only the start of a tournament takes more queries with more entrants."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.tournaments.factories import Table, TournamentRun
from tournaments.services import rounds, starting, tables

pytestmark = pytest.mark.django_db


def queries_of(do, *args) -> int:
    with CaptureQueriesContext(
        connection,
    ) as found:
        do(*args)
    return len(found)


def costs_of(size: int) -> dict[str, int]:
    run = TournamentRun(size)
    now = run.tournament.starts_at
    costs = {"start": queries_of(starting.start_or_cancel, run.tournament.pk, now)}
    waiting = list(tables.waiting_for_table().values_list("pk", flat=True))
    costs["table"] = queries_of(tables.open_table, waiting[0], now)
    for fixture in waiting[1:]:
        tables.open_table(fixture, now)
    run.now = now
    found = run.tables()
    for table in found:
        table.sit().start_game()
    costs["result"] = queries_of(lambda: _resign(found[0]))
    for table in found[1:]:
        _resign(table)
    costs["round"] = queries_of(rounds.advance, run.tournament.rounds.get().pk, now)
    return costs


def _resign(table: Table) -> None:
    table.do("resign_match")


def test_only_the_start_needs_more_queries_with_more_entrants() -> None:
    small, large = costs_of(4), costs_of(12)
    assert large["table"] == small["table"]
    assert large["result"] == small["result"]
    assert large["round"] == small["round"]
    assert large["start"] - small["start"] == 8  # one for each further account
