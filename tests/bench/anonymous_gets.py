"""Measure every URL that a visitor without an account can get, on a filled database.

    python -m tests.bench.anonymous_gets [--rows 150] [--rated 20000] [--length 9]

Print a line for each URL: queries, the median processor time of some visits, and its ratio to that
of the page for an unknown URL. The first visit is listed separately, since it may compute values
that later visits read. Create a database beside that of DATABASE_URL and drop it at the end.
"""

import argparse
import os
import statistics
import time
from typing import Any

os.environ["PYTEST_VERSION"] = "bench"  # chooses the settings of the tests
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

VISITS = 5


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=150)
    parser.add_argument("--rated", type=int, default=20_000)
    parser.add_argument("--length", type=int, default=9)
    given = parser.parse_args()

    import django

    django.setup()
    from django.conf import settings
    from django.db import connection
    from django.test.utils import setup_test_environment

    setup_test_environment()
    settings.ACCOUNT_RATE_LIMITS = {}
    settings.MINIMUM_AGE = 0
    connection.creation.create_test_db(verbosity=0)
    try:
        measure(given)
    finally:
        connection.creation.destroy_test_db(":memory:", verbosity=0)


def measure(given: argparse.Namespace) -> None:
    from tests.config.filled import Filled, Visitor

    filled, visitor = Filled(given.rows, given.rated, given.length), Visitor()
    visit(visitor, "/nowhere/")
    unit = statistics.median(visit(visitor, "/nowhere/")[0] for _ in range(VISITS))
    print(f"an unknown address: {1000 * unit:.0f} ms; load {os.getloadavg()[0]:.1f}")
    lines = []
    for label, address in filled.addresses().items():
        first, _ = visit(visitor, address)
        times, counts = zip(*(visit(visitor, address) for _ in range(VISITS)), strict=True)
        lines.append((statistics.median(times), label, max(counts), first))
    for seconds, label, count, first in sorted(lines, reverse=True):
        print(
            f"{label:40} {count:3} queries {1000 * seconds:6.0f} ms"
            f" {seconds / unit:6.1f} x   first {1000 * first:6.0f} ms"
        )


def visit(visitor: Any, address: str) -> tuple[float, int]:
    """Return the CPU seconds of this process and the number of queries of one visit."""
    begun = time.process_time()
    count = visitor.queries_of(address)
    return time.process_time() - begun, count


if __name__ == "__main__":
    main()
