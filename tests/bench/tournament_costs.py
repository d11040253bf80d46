"""Measure the cost of tournaments in the database, by the number of entrants.

    python -m tests.bench.tournament_costs [--sizes 8,64,512]

Play knock-outs with a fee, from the start to the payout; of each match only the last action is
measured. Print for each size the statements and milliseconds in the database per fixture, then the
totals of each step. Create a database beside that of DATABASE_URL and drop it at the end.
"""

import argparse
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

os.environ["PYTEST_VERSION"] = "bench"  # chooses the settings of the tests
os.environ["MINIMUM_AGE"] = "0"  # nobody is asked for their age
os.environ["ASK_TO_ACCEPT_TERMS"] = "0"
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


class Meter:
    """Counts statements and their time by step."""

    def __init__(self) -> None:
        self.statements: Counter[str] = Counter()
        self.seconds: Counter[str] = Counter()

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        from django.db import connection

        def measure(execute: Callable[..., Any], *arguments: Any) -> Any:
            begun = time.perf_counter()
            try:
                return execute(*arguments)
            finally:
                self.statements[name] += 1
                self.seconds[name] += time.perf_counter() - begun  # type: ignore[assignment]

        with connection.execute_wrapper(measure):
            yield

    def line(self, size: int, fixtures: int) -> str:
        steps = ", ".join(
            f"{name} {count} ({1000 * self.seconds[name]:.0f} ms)"
            for name, count in self.statements.items()
        )
        count, seconds = self.statements.total(), self.seconds.total()
        return (
            f"{size:4} entrants: {count / fixtures:5.1f} statements and"
            f" {1000 * seconds / fixtures:5.1f} ms for each of {fixtures} fixtures; {steps}"
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--sizes", default="8,64,512")
    given = parser.parse_args()

    import django

    django.setup()
    from django.db import connection

    connection.creation.create_test_db(verbosity=0)
    try:
        for size in map(int, given.sizes.split(",")):
            print(measure(size), flush=True)
    finally:
        connection.creation.destroy_test_db(":memory:", verbosity=0)


def measure(size: int) -> str:
    from tests.tournaments.factories import announced, enter, settle
    from tests.wallet.factories import player
    from tournaments import states
    from tournaments.models import Fixture
    from tournaments.services import ending, rounds, starting, tables

    meter = Meter()
    users = [player(f"s{size}x{number}") for number in range(size)]
    tournament = announced(fee_credits=20, max_entrants=size)
    enter(tournament, users, tournament.created_at)
    now = tournament.starts_at
    with meter.step("start"):
        starting.start_or_cancel(tournament.pk, now)
    tournament.refresh_from_db()
    while tournament.state == states.RUNNING:
        last = tournament.rounds.latest("number")
        for fixture_id in last.fixtures.values_list("pk", flat=True):
            with meter.step("tables"):
                tables.open_table(fixture_id, now)
        for fixture in last.fixtures.select_related("match"):
            _end(meter, fixture, now)
        with meter.step("rounds"):
            rounds.advance(last.pk, now)
        tournament.refresh_from_db()
    with meter.step("prizes"):
        for prize in tournament.prizes.all():
            ending.pay(prize.pk, now)
    settle(now)
    fixtures = Fixture.objects.filter(round__tournament=tournament).count()
    return meter.line(size, fixtures)


def _end(meter: Meter, fixture: Any, now: Any) -> None:
    from tests.tournaments.factories import Table

    table = Table(fixture.match, now).sit().start_game()
    with meter.step("results"):
        table.do("resign_match")


if __name__ == "__main__":
    main()
