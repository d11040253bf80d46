"""Measure how late deadlines are settled, compared with an empty loop in the same run.

    TEST_POSTGRES_URL=postgres://... python -m tests.bench.deadlines [--kills | --peace]
        [--each 500] [--seconds 60] [--workers 2] [--rounds 1]

Turns, no-starts, absences and announcements, equally many of each, fall due one after the other:
with undisturbed workers, and with a worker killed and replaced every second (`--peace` and
`--kills` choose one of the two). The empty loop wakes up at the same moments and does nothing, so
that the delay of the machine itself is in both figures. A deadline is settled when its transaction
commits.
"""

import argparse
import os
import statistics
import tempfile
from pathlib import Path
from typing import Any

from tests.bench.spectators import quantile
from tests.load.deadlines import KINDS, Deadlines
from tests.load.racing import Database, Racer

# Greatest allowed excess of the p99 over the empty loop's, in ms, by whether workers are killed.
MAX_MS = {False: 50, True: 1000}


def bench(server: str, options: argparse.Namespace, *, is_killed: bool) -> float:
    """Run once and print the figures; return by how many ms the p99 exceeds the empty loop's."""
    with Database(server) as database:
        deadlines = Deadlines(database, options.each, options.seconds)
        with Racer(database) as racer:
            deadlines.arrange(racer)
        with tempfile.TemporaryDirectory() as folder:
            kill_every_s = 1.0 if is_killed else 0.0
            empty, errors = deadlines.run(options.workers, kill_every_s, Path(folder))
        settled = deadlines.settled()
    load = os.getloadavg()[0]
    print(
        f"{deadlines.count} deadlines in {options.seconds:.0f} s, {options.workers} workers;",
        end=" ",
    )
    print(f"{errors.strip()}; load {load:.1f} on {os.cpu_count()} cores")
    print(line("empty loop", empty))
    for kind in KINDS:
        print(line(kind, [row.late_s for row in settled if row.kind == kind]))
    late = [row.late_s for row in settled]
    print(line("all", late))
    missed = deadlines.count - len({(row.kind, row.id) for row in settled})
    twice = len(settled) - deadlines.count + missed
    more = 1000 * (quantile(late, 0.99) - quantile(empty, 0.99))
    print(f"  missed {missed}, settled twice {twice}; p99 {more:+.1f} ms against the empty loop")
    return more


def print_median(name: str, more: list[float], most: float) -> None:
    """Print the median of the runs and the bound."""
    median = statistics.median(more)
    verdict = "within" if median <= most else "ABOVE"
    rounds = ", ".join(f"{each:+.1f}" for each in more)
    print(f"{name}: p99 {median:+.1f} ms against the empty loop ({rounds}), {verdict} {most} ms")


def line(name: str, late_s: list[Any]) -> str:
    p50, p99, most = (1000 * quantile(late_s, part) for part in (0.5, 0.99, 1))
    return f"  {name:14} late by p50 {p50:7.1f}, p99 {p99:7.1f}, most {most:7.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=1)
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--kills", action="store_true", help="only with kills")
    only.add_argument("--peace", action="store_true", help="only without")
    options = parser.parse_args()
    server = os.environ.get("TEST_POSTGRES_URL")
    if not server:
        raise SystemExit("set TEST_POSTGRES_URL to a PostgreSQL where databases may be made")
    left_out = {True: options.peace, False: options.kills}
    excess: dict[bool, list[float]] = {
        is_killed: [] for is_killed, is_out in left_out.items() if not is_out
    }
    for _ in range(options.rounds):
        for is_killed, more in excess.items():
            more.append(bench(server, options, is_killed=is_killed))
    for is_killed, more in excess.items():
        print_median("with kills" if is_killed else "in peace", more, MAX_MS[is_killed])


if __name__ == "__main__":
    main()
