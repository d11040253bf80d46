"""Measure whether open matches make a command more expensive, and how fast SQLite is.

    TEST_POSTGRES_URL=postgres://... TEST_REDIS_URL=redis://... python -m tests.bench.open_tables
        [--few 50] [--many 800] [--rate 25] [--seconds 40]

With few and with many open matches, all players together send `--rate` commands a second to one web
process, with a worker beside it. The cost of the open sockets and their pings without commands is
measured first and subtracted from the figure of the web process, not from the database's. Then
twenty pairs play at the pace of people, on a site of one process with SQLite as `run.py` starts it.
Print a line of JSON: CPU and delays in ms; commands in 1/s, on SQLite their number.
"""

import argparse
import json
import math
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.bench.processor import cpu_s
from tests.bench.site import run_tables
from tests.bench.site_players import Playing, arrange
from tests.bench.spectators import quantile
from tests.load.racing import Database
from tests.support.site_process import SiteProcess, WorkerProcess

SLOW_PAIRS = 20
# Mean seconds from one command at a table to the next, for players who think about their plays.
SLOW_WAIT_S = 4


def by_open_matches(given: argparse.Namespace) -> dict[str, float]:
    found = {}
    with Database(os.environ["TEST_POSTGRES_URL"]) as database, tempfile.TemporaryDirectory() as at:
        site = SiteProcess(
            Path(at),
            DATABASE_URL=database.url,
            REDIS_URL=os.environ["TEST_REDIS_URL"],
            DEBUG="0",
            SOCKETS_PER_ADDRESS=str(4 * given.many),  # all players come from one address
        )
        for name, count in (("few", given.few), ("many", given.many)):
            # Arrange new matches each time: the clocks of idle matches run down.
            tables = arrange(site, count)
            with site.start("--no-worker"), WorkerProcess(site.environment, site.errors):
                resting = cpu_at_rest(site, tables, given.seconds)
                ran = run_tables([site], tables, given.seconds, count / given.rate)
            ran["web_cpu_ms"] -= 1000 * resting / ran["commands"]
            ran["rest_cpu_ms_per_match_second"] = 1000 * resting / count
            found |= {f"{name}_{key}": value for key, value in ran.items()}
    return found | {"many_to_few_cpu_ratio": found["many_web_cpu_ms"] / found["few_web_cpu_ms"]}


def cpu_at_rest(site: SiteProcess, tables: list[list[str]], seconds: float) -> float:
    """Return the web process's processor time per second while nobody sends a command."""
    playing = Playing([site], tables, seconds, math.inf)
    used = cpu_s(site.pid)
    time.sleep(seconds - 1)
    used = cpu_s(site.pid) - used
    playing.delays()
    return used / (seconds - 1)


def on_sqlite(seconds: float) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as at:
        site = SiteProcess(Path(at), SOCKETS_PER_ADDRESS=str(4 * SLOW_PAIRS))
        tables = arrange(site, SLOW_PAIRS)
        with site.start():
            acks, views = Playing([site], tables, seconds, SLOW_WAIT_S).delays()
    return {
        "sqlite_commands": len(acks),
        "sqlite_ack_median_ms": 1000 * quantile(acks, 0.5),
        "sqlite_ack_p99_ms": 1000 * quantile(acks, 0.99),
        "sqlite_opponent_median_ms": 1000 * quantile(views, 0.5),
        "sqlite_p99_to_median_ratio": quantile(acks, 0.99) / quantile(acks, 0.5),
    }


def options() -> Any:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", type=int, default=50)
    parser.add_argument("--many", type=int, default=800)
    parser.add_argument("--rate", type=float, default=25)
    parser.add_argument("--seconds", type=float, default=40)
    return parser.parse_args()


def main() -> None:
    given = options()
    found = by_open_matches(given) | on_sqlite(3 * given.seconds)
    print(json.dumps({name: round(value, 2) for name, value in found.items()}))


if __name__ == "__main__":
    main()
