"""Measure a site whose tables play as fast as it answers, and its database without the site.

    TEST_POSTGRES_URL=postgres://... TEST_REDIS_URL=redis://... python -m tests.bench.site
        [--pairs 120] [--seconds 30]

Start web processes and a worker, and another process with the players: pairs of members in
matches of 25 points, who roll and play at random over real sockets. A pair sends at most four
commands a second, so forty pairs would not reach the limit of a web process. There are three
phases: one web process with as many commands as it can handle; one web process at a fifth of that
rate, while commits of psycopg are timed too, since other work of the machine slows both; two web
processes, where the two players of a pair are on different ones. After each phase `site_anchors.py`
measures the anchors, the limits of the database; their medians count, since the speed of a machine
changes within minutes. Print a line of JSON: rates in 1/s, times and CPU in ms, and the ratios
that are compared with the targets.
"""

import argparse
import json
import os
import statistics
import tempfile
import time
from pathlib import Path

import psycopg

from tests.bench import site_anchors
from tests.bench.processor import cpu_s, database_cpu_s
from tests.bench.site_players import LEAST_WAIT_S, Playing, arrange
from tests.bench.spectators import quantile
from tests.load.racing import Database
from tests.support.site_process import SiteProcess, WorkerProcess

LIGHT_LOAD = 0.2  # share of the first phase's commands per second


def run_tables(
    processes: list[SiteProcess],
    tables: list[list[str]],
    seconds: float,
    wait_s: float = LEAST_WAIT_S,
    *,
    measures_commits: bool = False,
) -> dict[str, float]:
    """Let the pairs play; return the figures, with those of commits if they are measured."""
    playing = Playing(processes, tables, seconds, wait_s)
    begun, web, database = time.monotonic(), web_cpu_s(processes), database_cpu_s()
    logged = commands_logged(processes[0])
    end_at = begun + seconds - 1
    found = {}
    if measures_commits:
        # Nearly the whole phase, so that a pause of the disk delays these commits too.
        pause_s = 0.8 * seconds / site_anchors.COMMITS
        found = site_anchors.commit_times(processes[0], pause_s)
    time.sleep(max(0, end_at - time.monotonic()))
    commands = commands_logged(processes[0]) - logged
    took = time.monotonic() - begun
    web, database = web_cpu_s(processes) - web, database_cpu_s() - database
    acks, views = playing.delays()
    return found | {
        "commands": commands / took,
        "web_cpu_ms": 1000 * web / commands,
        "database_cpu_ms": 1000 * database / commands,
        "ack_median_ms": 1000 * quantile(acks, 0.5),
        "ack_p99_ms": 1000 * quantile(acks, 0.99),
        "opponent_median_ms": 1000 * quantile(views, 0.5),
    }


def web_cpu_s(processes: list[SiteProcess]) -> float:
    return sum(cpu_s(process.pid) for process in processes)


def commands_logged(site: SiteProcess) -> int:
    """Return the number of players' commands in the logs of all matches."""
    count = "SELECT count(*) FROM games_action WHERE client_id IS NOT NULL"
    with psycopg.connect(site.environment["DATABASE_URL"]) as connection:
        return int(connection.execute(count).fetchone()[0])  # type: ignore[index]


def measure(one: SiteProcess, other: SiteProcess, pairs: int, seconds: float) -> dict[str, float]:
    tables = arrange(one, pairs + site_anchors.MATCHES)[:pairs]
    anchors = []
    with one.start("--no-worker"), WorkerProcess(one.environment, one.errors):
        found = run_tables([one], tables, seconds)
        anchors.append(site_anchors.measure(one, seconds / 4))
        wait_s = pairs / (LIGHT_LOAD * found["commands"])
        light = run_tables([one], tables, seconds, wait_s, measures_commits=True)
        del light["database_cpu_ms"]  # it includes the measured commits
        anchors.append(site_anchors.measure(one, seconds / 4))
        with other.start("--no-worker"):
            two = run_tables([one, other], tables, seconds)
        anchors.append(site_anchors.measure(one, seconds / 4))
    found |= {f"light_{name}": value for name, value in light.items()}
    found |= {f"two_{name}": value for name, value in two.items()}
    found |= {name: statistics.median(each[name] for each in anchors) for name in anchors[0]}
    return found | ratios(found)


def ratios(found: dict[str, float]) -> dict[str, float]:
    median, commit = found["light_ack_median_ms"], found["light_commit_median_ms"]
    return {
        "rate_ratio": found["commands"] / found["plain"],
        "cpu_ratio": found["web_cpu_ms"] / found["plain_cpu_ms"],
        "database_cpu_ratio": found["database_cpu_ms"] / found["pgbench_database_cpu_ms"],
        "two_to_one_cpu_ratio": found["two_web_cpu_ms"] / found["web_cpu_ms"],
        # The same ratio for the plain transaction: the cores share caches and clock.
        "two_to_one_plain_cpu_ratio": found["two_plain_cpu_ms"] / found["plain_cpu_ms"],
        "ack_to_commit_ratio": median / commit,
        "ack_to_idle_commit_ratio": median / found["idle_commit_median_ms"],
        "opponent_to_commit_ratio": found["light_opponent_median_ms"] / commit,
        "p99_to_median_ratio": found["light_ack_p99_ms"] / median,
        "commit_p99_to_median_ratio": found["light_commit_p99_ms"] / commit,
    }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=120)
    parser.add_argument("--seconds", type=float, default=30)
    given = parser.parse_args()
    redis = os.environ["TEST_REDIS_URL"]
    with Database(os.environ["TEST_POSTGRES_URL"]) as database, tempfile.TemporaryDirectory() as at:
        variables = {
            "DATABASE_URL": database.url,
            "REDIS_URL": redis,
            "DEBUG": "0",
            "SOCKETS_PER_ADDRESS": str(4 * given.pairs),  # all players come from one address
        }
        one, other = SiteProcess(Path(at), **variables), SiteProcess(Path(at), **variables)
        found = measure(one, other, given.pairs, given.seconds)
    print(json.dumps({name: round(value, 2) for name, value in found.items()}))


if __name__ == "__main__":
    main()
