"""How late deadlines are settled, beside an empty loop in the same run.

    TEST_POSTGRES_URL=postgres://... python -m tests.bench.deadlines [--each 500] [--seconds 60]

Turns, no-starts, absences and announcements, as many of each, fall due one after the other: once
with two workers left in peace, once with one of them killed each second. The empty loop wakes up at
the same moments and does nothing: what the machine itself is late is in both figures. A deadline is
settled when its transaction commits.
"""

import argparse
import os
import tempfile
from pathlib import Path
from typing import Any

from tests.bench.spectators import quantile
from tests.lobby.deadlines import KINDS, Deadlines
from tests.lobby.racing import Database, Racer

# More than the empty loop at the 99th percentile, in ms: in peace, and with kills.
MOST_MS = {False: 50, True: 1000}


def bench(server: str, given: argparse.Namespace, *, is_killed: bool) -> None:
    with Database(server) as database:
        deadlines = Deadlines(database, given.each, given.seconds)
        with Racer(database) as racer:
            deadlines.arrange(racer)
        with tempfile.TemporaryDirectory() as folder:
            empty, said = deadlines.run(2, float(is_killed), Path(folder))
        settled = deadlines.settled()
    print(f"{deadlines.count} deadlines in {given.seconds:.0f} s; {said.strip()}")
    print(line("empty loop", empty))
    for kind in KINDS:
        print(line(kind, [row.late_s for row in settled if row.kind == kind]))
    late = [row.late_s for row in settled]
    print(line("all", late))
    missed = deadlines.count - len({(row.kind, row.id) for row in settled})
    twice = len(settled) - deadlines.count + missed
    more = 1000 * (quantile(late, 0.99) - quantile(empty, 0.99))
    verdict = "within" if more <= MOST_MS[is_killed] else "ABOVE"
    print(f"  missed {missed}, settled twice {twice}; p99 {more:+.1f} ms against the empty loop,")
    print(f"  {verdict} {MOST_MS[is_killed]} ms")


def line(name: str, late_s: list[Any]) -> str:
    p50, p99, most = (1000 * quantile(late_s, part) for part in (0.5, 0.99, 1))
    return f"  {name:14} late by p50 {p50:7.1f}, p99 {p99:7.1f}, most {most:7.1f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=60)
    given = parser.parse_args()
    server = os.environ.get("TEST_POSTGRES_URL")
    if not server:
        raise SystemExit("set TEST_POSTGRES_URL to a PostgreSQL where databases may be made")
    for is_killed in (False, True):
        bench(server, given, is_killed=is_killed)


if __name__ == "__main__":
    main()
