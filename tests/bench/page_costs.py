"""Measure the queries of pages, and their CPU time in this process and PostgreSQL together."""

import time
from collections.abc import Mapping
from typing import Any, NamedTuple

import psycopg

from tests.bench.club import execute
from tests.bench.processor import cpu_s as cpu_of
from tests.load.racing import Database


class PageCost(NamedTuple):
    """CPU seconds of a visit, the number of its queries, and the plans of the two slowest."""

    seconds: float
    queries: int
    plans: str


def without_parallel_workers(database: Database) -> None:
    """Disable parallel workers, whose CPU time `_cpu_s` would not count."""
    with psycopg.connect(database.url, autocommit=True) as connection:
        setting = f"ALTER DATABASE {database.name} SET max_parallel_workers_per_gather = 0"
        connection.execute(setting)  # type: ignore[call-overload]


def page_cost(client: Any, address: str, visits: int) -> PageCost:
    """Return the mean cost of visits after a first one, which fills caches."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    client.get(address)
    begun = _cpu_s()
    for _ in range(visits):
        assert client.get(address).status_code == 200, address
    seconds = (_cpu_s() - begun) / visits
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    slow = sorted(queries.captured_queries, key=lambda each: -float(each["time"]))[:2]
    return PageCost(seconds, len(queries), "\n".join(_plan(each["sql"]) for each in slow))


def print_growth(
    before: Mapping[str, PageCost], after: Mapping[str, PageCost], *, shows_plans: bool
) -> None:
    """Print for each page its cost with few rows and with many, and their ratio."""
    for name, cost in after.items():
        ms = [1000 * each.seconds for each in (before[name], cost)]
        counts = f"{before[name].queries} -> {cost.queries} queries"
        print(f"{name:28} {ms[0]:6.1f} -> {ms[1]:6.1f} ms  x {ms[1] / ms[0]:4.1f}  {counts}")
        if shows_plans:
            print(cost.plans)


def _cpu_s() -> float:
    """Return the CPU seconds of this process and of its connections to the database so far."""
    rows = execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
    return time.process_time() + sum(cpu_of(pid) for (pid,) in rows)


def _plan(sql: str) -> str:
    if not sql.startswith("SELECT"):
        return sql
    return "\n".join(row[0] for row in execute(f"EXPLAIN (ANALYZE, TIMING OFF) {sql}"))
