"""Measure limits of the database for `tests.bench.site`: the transaction of a command alone.

Each anchor locks the row of a match, updates it and inserts an action, without rules or sockets.
The actions break the rules. Therefore the anchors use the newest `MATCHES` matches, and nobody may
play these.
"""

import re
import shutil
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psycopg

from tests.bench.processor import database_cpu_s
from tests.bench.spectators import quantile
from tests.support.site_process import SiteProcess

MATCHES = 40
THREADS = 8
COMMITS = 400
# First `seq` of each anchor's actions: different ranges, which no match reaches.
_PLAIN_SEQ, _PGBENCH_SEQ, _COMMIT_SEQ = 1_000_000, 2_000_000, 1_000_000_000
_PLAIN = f"""
import sys, threading, time
from django.db import connection
from games.models import Action, Match
from accounts.shared.transactions import write_transaction
from django.utils import timezone
newest = Match.objects.order_by("-pk").values_list("pk", flat=True)
ids = list(newest[{{first}}:{{first}} + {THREADS}])
counts = [0] * len(ids)
end = time.monotonic() + {{seconds}}
def work(place):
    while time.monotonic() < end:
        with write_transaction():
            match = Match.objects.select_for_update(no_key=True).get(pk=ids[place])
            match.seq += 1
            match.save(update_fields=["seq", "snapshot"])
            Action.objects.create(match=match, seq={_PLAIN_SEQ} + match.seq, verb="roll",
                                  side="white", data={{{{"dice": [1, 2]}}}},
                                  created_at=timezone.now())
        counts[place] += 1
    connection.close()
begun, used = time.monotonic(), time.process_time()
threads = [threading.Thread(target=work, args=[place]) for place in range(len(ids))]
[each.start() for each in threads]
[each.join() for each in threads]
print(sum(counts), time.monotonic() - begun, time.process_time() - used)
"""
# Return the newest match and a free seq of its log.
_FREE_SEQ = f"""
    SELECT match_id, greatest(max(seq) + 1, {_COMMIT_SEQ}) FROM games_action
    GROUP BY match_id ORDER BY match_id DESC LIMIT 1
"""
_LOCK = "SELECT id, seq, snapshot FROM games_match WHERE id = {id} FOR NO KEY UPDATE"
_UPDATE = "UPDATE games_match SET seq = seq + 1, snapshot = snapshot WHERE id = {id}"
_INSERT = (
    "INSERT INTO games_action (match_id, seq, verb, side, data, created_at)"
    " VALUES ({id}, {seq}, 'roll', 'white', '{{\"dice\": [1, 2]}}', now())"
)


def measure(site: SiteProcess, seconds: float) -> dict[str, float]:
    """Measure all anchors; their seqs go on from those of an earlier call."""
    found = plain(site, seconds) | pgbench(site, seconds)
    two = plain(site, seconds, processes=2)
    found |= {f"two_{name}": value for name, value in two.items()}
    # Measure this last, when the players' connections have been closed for some time.
    return found | {f"idle_{name}": value for name, value in commit_times(site).items()}


def plain(site: SiteProcess, seconds: float, processes: int = 1) -> dict[str, float]:
    """Return the rate (1/s) and CPU (ms) of transactions by Django's ORM.

    Each process has 8 threads and matches of its own.
    """
    database = database_cpu_s()

    def run(place: int) -> list[float]:
        code = _PLAIN.format(seconds=seconds, first=place * THREADS)
        return [float(each) for each in site.manage("shell", "-v0", "-c", code).stdout.split()[-3:]]

    with ThreadPoolExecutor(processes) as pool:
        counts, times, used = zip(*pool.map(run, range(processes)), strict=True)
    return {
        "plain": sum(counts) / max(times),
        "plain_cpu_ms": 1000 * sum(used) / sum(counts),
        "plain_database_cpu_ms": 1000 * (database_cpu_s() - database) / sum(counts),
    }


def pgbench(site: SiteProcess, seconds: float) -> dict[str, float]:
    """Return the rate (1/s) and CPU (ms) of transactions by pgbench with 8 clients."""
    url = site.environment["DATABASE_URL"]
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            f"SELECT max(id) - {MATCHES - 1}, max(id) FROM games_match"
        ).fetchone()
        # Each transaction takes its seq from a sequence, so that no two insert the same one.
        connection.execute(f"CREATE SEQUENCE IF NOT EXISTS bench_seq START {_PGBENCH_SEQ}")
    assert rows is not None
    script = "\n".join(
        (
            f"\\set id random({rows[0]}, {rows[1]})",
            "BEGIN;",
            *(
                each.format(id=":id", seq="nextval('bench_seq')") + ";"
                for each in (_LOCK, _UPDATE, _INSERT)
            ),
            "COMMIT;",
        )
    )
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write(script)
        file.flush()
        clients = ["-c", str(THREADS), "-j", "2", "-T", str(max(1, round(seconds)))]
        command = [_pgbench_path(), "-n", "-f", file.name, *clients, url]
        used = database_cpu_s()
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        time.sleep(1)  # until the server has counted its ended processes
        used = database_cpu_s() - used
    rate = re.search(r"tps = ([\d.]+)", done.stdout)
    count = re.search(r"actually processed: (\d+)", done.stdout)
    assert rate is not None
    assert count is not None
    return {
        "pgbench": float(rate[1]),
        "pgbench_database_cpu_ms": 1000 * used / int(count[1]),
    }


def _pgbench_path() -> str:
    """Return the path of pgbench, which Debian keeps beside the server."""
    beside = sorted(Path("/usr/lib/postgresql").glob("*/bin/pgbench"))
    found = shutil.which("pgbench") or (str(beside[-1]) if beside else None)
    assert found is not None, "pgbench is not installed"
    return found


def commit_times(site: SiteProcess, pause_s: float = 0) -> dict[str, float]:
    """Return times in ms of transactions on one psycopg connection, `pause_s` apart."""
    took = []
    with psycopg.connect(site.environment["DATABASE_URL"], autocommit=True) as connection:
        row = connection.execute(_FREE_SEQ).fetchone()
        assert row is not None
        for number in range(row[1], row[1] + COMMITS):
            begun = time.perf_counter()
            with connection.transaction():
                for each in (_LOCK, _UPDATE, _INSERT):
                    text = each.format(id=row[0], seq=number)
                    connection.execute(text.encode())
            took.append(time.perf_counter() - begun)
            time.sleep(pause_s)
    return {
        "commit_median_ms": 1000 * quantile(took, 0.5),
        "commit_p99_ms": 1000 * quantile(took, 0.99),
    }
