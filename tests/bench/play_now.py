"""Measure how long people wait for an opponent by "Play now", and how near their ratings are.

    TEST_POSTGRES_URL=postgres://... python -m tests.bench.play_now [--people 60] [--seconds 90]

Two processes act for simulated people. Their requests pair those who wait, and so do two workers.
All use one database. Half-way one of the two processes is killed and replaced, and a worker is
killed every ten seconds. The exit status is 1 if anybody was in two matches at a time or in a match
with a person they block, or if credits are missing at the end.
"""

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from typing import Any

from tests.bench.spectators import quantile
from tests.load.racing import ROOT, Database, Racer

PROCESSES = 2
WORKERS = 2
KILL_WORKERS_EVERY_S = 10


def crowd(database: Database, seconds: float, user_ids: list[int]) -> "subprocess.Popen[str]":
    ids = map(str, user_ids)
    return subprocess.Popen(
        database.command("-m", "tests.load.crowd", str(int(seconds)), *ids),
        cwd=ROOT,
        env=database.environment,
        stdout=subprocess.PIPE,
        text=True,
    )


def run(database: Database, user_ids: list[int], seconds: float) -> Counter[str]:
    """Let the people act; return the number of refusals by code."""
    farm = subprocess.Popen(
        database.command(
            "-m", "tests.load.farm", "--workers", str(WORKERS),
            "--kill-every", str(KILL_WORKERS_EVERY_S),
        ),
        cwd=ROOT, env=database.environment, stdin=subprocess.PIPE,
    )  # fmt: skip
    parts = [user_ids[number::PROCESSES] for number in range(PROCESSES)]
    crowds = [crowd(database, seconds, part) for part in parts]
    time.sleep(seconds / 2)
    crowds[0].kill()
    crowds.append(crowd(database, seconds / 2, parts[0]))
    refusals = Counter(line for each in crowds for line in each.communicate()[0].split())
    assert farm.stdin is not None
    farm.stdin.close()
    assert farm.wait(60) == 0, "a worker ended by itself"
    return refusals


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=90)
    options = parser.parse_args()
    with Database(os.environ["TEST_POSTGRES_URL"]) as database:
        with Racer(database, "tests.load.crowd_books") as racer:
            user_ids = racer.call("arrange", count=options.people)
        refusals = run(database, user_ids, options.seconds)
        with Racer(database, "tests.load.crowd_books") as racer:
            found: dict[str, Any] = racer.call("judge", user_ids=user_ids)
    load = os.getloadavg()[0]
    print(
        f"{options.people} people, {PROCESSES} processes, {options.seconds:.0f} s;"
        f" load {load:.1f} on {os.cpu_count()} cores"
    )
    for name, unit in (("waits", "s"), ("distances", "points of rating")):
        values = found[name] or [0.0]
        print(
            f"  {name}: median {quantile(values, 0.5):.1f}, p90 {quantile(values, 0.9):.1f},"
            f" most {max(values):.1f} {unit}"
        )
    print(
        f"  {found['matches']} matches ({found['staked']} for credits); refusals {dict(refusals)}"
    )
    print(f"  faults: {found['faults'] or 'none'}")
    sys.exit(bool(found["faults"]))


if __name__ == "__main__":
    main()
