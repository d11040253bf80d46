"""Check that `rebuildstats` changes no statistics, and compare its time with `checkreplays`.

    TEST_POSTGRES_URL=postgres://... python -m tests.bench.rebuild_stats [--matches 10000]

First the worker's steps rate and count simulated matches, one after another, as they do when
matches end. Then every table of statistics must be the same before and after `rebuildstats`. The
time of `rebuildstats` is compared with that of `checkreplays` on the same matches. Create a
database on the server and drop it at the end.
"""

import argparse
import io
import os
import time
from collections.abc import Callable
from typing import Any

from tests.load.racing import Database

os.environ["PYTEST_VERSION"] = "bench"  # chooses the settings of the tests
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=10_000)
    parser.add_argument("--people", type=int, default=200)
    given = parser.parse_args()
    with Database(os.environ["TEST_POSTGRES_URL"]) as database:
        os.environ["DATABASE_URL"] = database.url
        os.environ["REDIS_URL"] = ""
        os.environ["MINIMUM_AGE"] = "0"
        os.environ["ASK_TO_ACCEPT_TERMS"] = "0"
        import django

        django.setup()
        from django.db import connections

        try:
            measure(given.matches, given.people)
        finally:
            connections.close_all()


def measure(matches: int, people: int) -> None:
    from django.core.management import call_command
    from django.utils import timezone

    from tests.bench.match_logs import simulate

    _timed(f"simulate {matches} matches", lambda: simulate(matches, people, timezone.now()))
    _timed("rate and count one by one", settle)
    before = tables()
    shown = io.StringIO()
    checked = _timed("checkreplays", lambda: call_command("checkreplays", stdout=shown))
    rebuilt = _timed("rebuildstats", lambda: call_command("rebuildstats", stdout=shown))
    print(shown.getvalue())
    after = tables()
    for name, rows in before.items():
        print(f"{name:16} {len(rows):7} rows  {'equal' if rows == after[name] else 'DIFFERENT'}")
    print(f"rebuildstats takes {rebuilt / checked:.2f} times the time of checkreplays")


def settle() -> None:
    """Do the worker's steps until nothing waits."""
    from django.utils import timezone

    from stats.models import CountedSeat, RatedMatch, ReviewedSeat
    from stats.services import counting, rating, reviewed

    while RatedMatch.objects.filter(place__isnull=True).exists():
        rating.rate_waiting(timezone.now())
    while CountedSeat.objects.filter(has_row=False).exists():
        counting.settle_due(timezone.now())
    while ReviewedSeat.objects.filter(is_counted=False).exists():
        reviewed.settle_due(timezone.now())


def tables() -> dict[str, list[dict[str, Any]]]:
    """Return the rows of all statistics, without the ids of rows, which a rebuild may change."""
    from stats import models

    orders = {
        models.Rating: ("user", "variant"),
        models.RatingChange: ("rated", "user"),
        models.DiceTally: ("user", "variant", "is_against_computer"),
        models.DiceDay: ("day",),
        models.MemberDeeds: ("user",),
        models.Award: ("user", "code"),
        models.PlayedMatch: ("seat",),
        models.OpponentRecord: ("user", "opponent"),
        models.ReviewedSeat: ("seat",),
    }
    found = {}
    for model, order in orders.items():
        rows = list(model.objects.order_by(*order).values())  # type: ignore[attr-defined]
        for row in rows:
            row.pop("id", None)
        found[model.__name__] = rows
    return found


def _timed(what: str, work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    cpu = time.process_time()
    work()
    took = time.perf_counter() - begun
    print(f"{what}: {took:.1f} s, {time.process_time() - cpu:.1f} s of this process", flush=True)
    return took


if __name__ == "__main__":
    main()
