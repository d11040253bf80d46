"""Measure a site whose tables all play as fast as it answers, beside what its databases can do.

    TEST_POSTGRES_URL=postgres://... TEST_REDIS_URL=redis://... python -m tests.bench.site
        [--pairs 40] [--seconds 30]

It starts one web process and one worker, and another process with the players: pairs of members in
matches of 25 points, who roll and play at random over real sockets. Anchors of the same run: a
plain ORM transaction (lock a row, update it, insert one, commit) in 8 threads of one process, and
pgbench with 8 clients. Prints a line of JSON: rates in 1/s, times in ms, CPU in ms for each.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.bench.spectators import Player, choose, connect, quantile
from tests.load.racing import Database
from tests.support.site_process import ROOT, SiteProcess

TICKS_PER_S = os.sysconf("SC_CLK_TCK")
# The socket guard admits five frames a second of one connection.
LEAST_WAIT_S = 0.25
THREADS = 8
_ARRANGE = """
import json, sys
from games.engine.sides import Side
from tests.accounts.factories import session_key
from tests.games.factories import StakeSitting
from tests.wallet.factories import player
tables = []
for number in range({pairs}):
    users = [player(f"w{{number}}"), player(f"b{{number}}")]
    sitting = StakeSitting(*users, length=25, rules={{"cube": False}}).sit().start_game()
    for side in Side:
        sitting.go(side)
    tables.append([sitting.public_id, *map(session_key, users)])
print(json.dumps(tables))
"""
_PLAIN = """
import sys, threading, time
from django.db import connection
from games.models import Action, Match
from accounts.shared.transactions import write_transaction
from django.utils import timezone
ids = list(Match.objects.values_list("pk", flat=True)[:{threads}])
counts = [0] * len(ids)
end = time.monotonic() + {seconds}
def work(place):
    while time.monotonic() < end:
        with write_transaction():
            match = Match.objects.select_for_update(no_key=True).get(pk=ids[place])
            match.seq += 1
            match.save(update_fields=["seq", "snapshot"])
            Action.objects.create(match=match, seq=1_000_000 + match.seq, verb="roll", side="white",
                                  data={{"dice": [1, 2]}}, created_at=timezone.now())
        counts[place] += 1
    connection.close()
begun, used = time.monotonic(), time.process_time()
threads = [threading.Thread(target=work, args=[place]) for place in range(len(ids))]
[each.start() for each in threads]
[each.join() for each in threads]
print(sum(counts), time.monotonic() - begun, time.process_time() - used)
"""


def cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process, its threads and those of its children that ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(map(int, fields[11:15])) / TICKS_PER_S


def database_cpu_s() -> float:
    """Return the CPU seconds of PostgreSQL's processes on this machine."""
    used = 0.0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if (folder / "comm").read_text().strip() == "postgres":
                used += cpu_s(int(folder.name))
        except OSError:
            continue
    return used


async def play(base: str, public_id: str, keys: list[str], end_at: float) -> list[float]:
    """Play at one table; return the seconds from each command to its ack."""
    rng, waits = random.Random(public_id), []
    players = [Player(await connect(base, public_id, key)) for key in keys]
    listening = [asyncio.create_task(player.listen()) for player in players]
    for player in players:
        await player.send(t="join", v=1, since=-1, hold=True)
    while time.time() < end_at:
        seq = max(player.newest.get("seq", 0) for player in players)
        ready = (p for p in players if p.newest.get("seq") == seq and p.newest["may"])
        chosen = next(((p, frame) for p in ready if (frame := choose(p, rng))), None)
        if chosen is None:
            await asyncio.sleep(0.005)
            continue
        player, frame = chosen
        id, sent_at = str(uuid.uuid4()), time.time()
        await player.send(**frame, id=id, seq=seq)
        while id not in player.acked:
            assert id not in player.refused, (frame, player.refused)
            await asyncio.sleep(0.002)
        done, acked_at = player.acked[id]
        waits.append(acked_at - sent_at)
        while player.newest["seq"] < done:  # the ack may come before the event
            await asyncio.sleep(0.002)
        await asyncio.sleep(max(0, LEAST_WAIT_S - waits[-1]))
    for task in listening:
        task.cancel()
    for player in players:
        await player.socket.close()
    return waits


async def play_all(base: str, tables: list[list[str]], end_at: float) -> list[float]:
    played = (play(base, public_id, keys, end_at) for public_id, *keys in tables)
    return [wait for waits in await asyncio.gather(*played) for wait in waits]


@contextmanager
def worker(site: SiteProcess) -> Iterator[None]:
    command = [sys.executable, "manage.py", "worker"]
    process = subprocess.Popen(command, cwd=ROOT, env=site.environment, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait()


def run_tables(site: SiteProcess, tables: list[list[str]], seconds: float) -> dict[str, float]:
    assert site._process is not None
    given = json.dumps([site.base, tables, time.time() + seconds + 5])
    children = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.site", "--players"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert children.stdin is not None
    children.stdin.write(given)
    children.stdin.close()
    time.sleep(5)  # all connect
    begun, web, database = time.monotonic(), cpu_s(site._process.pid), database_cpu_s()
    seq = played(site)
    time.sleep(seconds - 1)
    commands = played(site) - seq
    took = time.monotonic() - begun
    web, database = cpu_s(site._process.pid) - web, database_cpu_s() - database
    assert children.stdout is not None
    waits = json.loads(children.stdout.read())
    children.wait()
    return {
        "commands": commands / took,
        "web_cpu_ms": 1000 * web / commands,
        "database_cpu_ms": 1000 * database / commands,
        "ack_median_ms": 1000 * quantile(waits, 0.5),
        "ack_p99_ms": 1000 * quantile(waits, 0.99),
    }


def played(site: SiteProcess) -> int:
    """Return the number of commands that are logged."""
    count = "SELECT count(*) FROM games_action WHERE client_id IS NOT NULL"
    with psycopg.connect(site.environment["DATABASE_URL"]) as connection:
        return int(connection.execute(count).fetchone()[0])  # type: ignore[index]


def run_plain(site: SiteProcess, seconds: float) -> dict[str, float]:
    database = database_cpu_s()
    code = _PLAIN.format(threads=THREADS, seconds=seconds)
    count, took, used = map(float, site.manage("shell", "-v0", "-c", code).stdout.split()[-3:])
    return {
        "plain": count / took,
        "plain_cpu_ms": 1000 * used / count,
        "plain_database_cpu_ms": 1000 * (database_cpu_s() - database) / count,
    }


def main() -> None:
    if sys.argv[1:] == ["--players"]:
        sys.stdout.write(json.dumps(asyncio.run(play_all(*json.load(sys.stdin)))))
        return
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=30)
    given = parser.parse_args()
    redis = os.environ["TEST_REDIS_URL"]
    with Database(os.environ["TEST_POSTGRES_URL"]) as database, tempfile.TemporaryDirectory() as at:
        sockets = str(4 * given.pairs)  # all players come from one address
        site = SiteProcess(
            Path(at), DATABASE_URL=database.url, REDIS_URL=redis, DEBUG="0",
            SOCKETS_PER_ADDRESS=sockets,
        )  # fmt: skip
        code = _ARRANGE.format(pairs=given.pairs)
        tables = json.loads(site.manage("shell", "-v0", "-c", code).stdout.splitlines()[-1])
        with site.start("--no-worker"), worker(site):
            found = run_tables(site, tables, given.seconds)
        found |= run_plain(site, given.seconds / 3)
    found["rate_ratio"] = found["commands"] / found["plain"]
    found["cpu_ratio"] = found["web_cpu_ms"] / found["plain_cpu_ms"]
    print(json.dumps({name: round(value, 2) for name, value in found.items()}))


if __name__ == "__main__":
    main()
