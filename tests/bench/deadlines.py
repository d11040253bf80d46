"""How late deadlines are settled, beside an empty loop in the same run.

    TEST_POSTGRES_URL=postgres://... python -m tests.bench.deadlines [--kills] [--peace]
        [--each 500] [--seconds 60] [--workers 2] [--rounds 1]

Turns, no-starts, absences and announcements, as many of each, fall due one after the other: with
workers that are left in peace, and with one of them killed each second and a new one in its place.
The empty loop wakes up at the same moments and does nothing: what the machine itself is late is in
both figures. A deadline is settled when its transaction commits.
"""

import argparse
import os
import statistics
import tempfile
from pathlib import Path
from typing import Any

from tests.bench.spectators import quantile
from tests.lobby.deadlines import KINDS, Deadlines
from tests.lobby.racing import Database, Racer

# More than the empty loop at the 99th percentile, in ms: in peace, and with kills.
MOST_MS = {False: 50, True: 1000}


def bench(server: str, given: argparse.Namespace, *, is_killed: bool) -> float:
    """One run, told line by line; how much later than the empty loop, in ms at the p99."""
    with Database(server) as database:
        deadlines = Deadlines(database, given.each, given.seconds)
        with Racer(database) as racer:
            deadlines.arrange(racer)
        with tempfile.TemporaryDirectory() as folder:
            empty, said = deadlines.run(given.workers, float(is_killed), Path(folder))
        settled = deadlines.settled()
    load = os.getloadavg()[0]
    print(
        f"{deadlines.count} deadlines in {given.seconds:.0f} s, {given.workers} workers;", end=" "
    )
    print(f"{said.strip()}; load {load:.1f} on {os.cpu_count()} cores")
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


def tell(name: str, more: list[float], most: float) -> None:
    """The median of the runs beside the bound."""
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
    parser.add_argument("--kills", action="store_true", help="only with kills")
    parser.add_argument("--peace", action="store_true", help="only without")
    given = parser.parse_args()
    server = os.environ.get("TEST_POSTGRES_URL")
    if not server:
        raise SystemExit("set TEST_POSTGRES_URL to a PostgreSQL where databases may be made")
    left_out = {True: given.peace, False: given.kills}
    told: dict[bool, list[float]] = {kills: [] for kills, is_out in left_out.items() if not is_out}
    for _ in range(given.rounds):
        for is_killed, more in told.items():
            more.append(bench(server, given, is_killed=is_killed))
    for is_killed, more in told.items():
        tell("with kills" if is_killed else "in peace", more, MOST_MS[is_killed])


if __name__ == "__main__":
    main()
