"""Measure the pages of statistics, history and leaderboards, and with a hundred times the data.

    TEST_POSTGRES_URL=postgres://... python -m tests.bench.stats_pages [--matches 100000]

The site is that of `tests/bench/club.py`. Printed are the CPU times of a visit in both sizes of the
same run, those of PostgreSQL on the same machine included, their ratio and the queries; with
`--plans` also how PostgreSQL finds the rows. CPU times, since other work on the machine lengthens
all others at random. Makes a database of its own and drops it.
"""

import argparse
import os
import time

import psycopg

from tests.bench.club import Club, execute
from tests.bench.site import cpu_s as cpu_of
from tests.load.racing import Database

os.environ["PYTEST_VERSION"] = "bench"  # the settings of the tests
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

GROWTH = 100
VISITS = 15


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--visits", type=int, default=VISITS)
    parser.add_argument("--plans", action="store_true")
    given = parser.parse_args()
    with Database(os.environ["TEST_POSTGRES_URL"]) as database:
        without_parallel_workers(database)
        os.environ["DATABASE_URL"] = database.url
        os.environ["REDIS_URL"] = ""
        os.environ["MINIMUM_AGE"] = "0"
        import django

        django.setup()
        from django.conf import settings
        from django.db import connections
        from django.test.utils import setup_test_environment

        setup_test_environment()
        settings.ACCOUNT_RATE_LIMITS = {}
        try:
            measure(given.matches, given.visits, given.plans)
        finally:
            connections.close_all()


def without_parallel_workers(database: Database) -> None:
    """Let each connection do all its work itself, where `cpu_s` sees it."""
    with psycopg.connect(database.url, autocommit=True) as connection:
        setting = f"ALTER DATABASE {database.name} SET max_parallel_workers_per_gather = 0"
        connection.execute(setting)  # type: ignore[call-overload]


def measure(matches: int, visits: int, shows_plans: bool) -> None:
    club = Club()
    reader = Reader(club, visits)
    club.grow_to(matches // GROWTH)
    before = reader.costs()
    club.grow_to(matches)
    for name, (after, queries, plans) in reader.costs().items():
        ms = [1000 * each for each in (before[name][0], after)]
        counts = f"{before[name][1]} -> {queries} queries"
        print(f"{name:28} {ms[0]:6.1f} -> {ms[1]:6.1f} ms  x {ms[1] / ms[0]:4.1f}  {counts}")
        if shows_plans:
            print(plans)


def cpu_s() -> float:
    """Return the CPU seconds of this process and of its connections to the database so far."""
    rows = execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
    return time.process_time() + sum(cpu_of(pid) for (pid,) in rows)


class Reader:
    """The reader of a club, who visits pages."""

    def __init__(self, club: Club, visits: int) -> None:
        self.club, self.visits = club, visits
        self.reader = club.reader

    def costs(self) -> dict[str, tuple[float, int, str]]:
        """Return for each page the CPU seconds of a visit, its queries and their plans."""
        from django.test import Client

        from tests.accounts.factories import sign_in

        self.client = sign_in(Client(), self.reader)
        return {name: self._cost(address) for name, address in self._pages().items()}

    def _pages(self) -> dict[str, str]:
        own = f"/player/{self.reader.public_id}"
        middle = execute(
            "SELECT id FROM stats_playedmatch WHERE user_id = %s ORDER BY finished_at, id"
            " OFFSET %s LIMIT 1",
            [self.reader.pk, self.club.matches // 20],
        )[0][0]
        return {
            "statistics": f"{own}/statistics/",
            "statistics, 30 days": f"{own}/statistics/?period=month",
            "matches": f"{own}/matches/",
            "matches, a middle page": f"{own}/matches/?before={middle}",
            "matches against one": f"{own}/matches/?opponent=other",
            "matches lost, long": f"{own}/matches/?result=lost&variant=long",
            "rating changes": f"{own}/rating/",
            "opponents": "/opponents/",
            "an opponent": f"/opponents/{self.club.other.public_id}/",
            "achievements": f"{own}/achievements/",
            "luck and skill": "/skill/",
            "my dice": "/dice/mine/",
            "recap": f"/recap/{self._year()}/",
            "own page": f"{own}/",
            "statement": "/credits/",
            "leaders by rating": "/leaders/?by=rating&period=all",
            "leaders by wins, all": "/leaders/?by=wins&period=all",
            "leaders by winnings, week": "/leaders/?by=winnings&period=week",
        }

    def _cost(self, address: str) -> tuple[float, int, str]:
        from django.db import connection
        from django.test.utils import CaptureQueriesContext

        self.client.get(address)
        begun = cpu_s()
        for _ in range(self.visits):
            assert self.client.get(address).status_code == 200, address
        cost = (cpu_s() - begun) / self.visits
        with CaptureQueriesContext(connection) as queries:
            self.client.get(address)
        slow = sorted(queries.captured_queries, key=lambda each: -float(each["time"]))[:2]
        plans = "\n".join(self._plan(each["sql"]) for each in slow)
        return cost, len(queries), plans

    def _plan(self, sql: str) -> str:
        if not sql.startswith("SELECT"):
            return sql
        return "\n".join(row[0] for row in execute(f"EXPLAIN (ANALYZE, TIMING OFF) {sql}"))

    def _year(self) -> int:
        from django.utils import timezone

        return timezone.now().year


if __name__ == "__main__":
    main()
