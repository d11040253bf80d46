"""Measure a site whose tables all play as fast as it answers, beside what its databases can do.

    TEST_POSTGRES_URL=postgres://... TEST_REDIS_URL=redis://... python -m tests.bench.site
        [--pairs 40] [--seconds 30]

It starts web processes and a worker, and another process with the players: pairs of members in
matches of 25 points, who roll and play at random over real sockets. Three phases: one web process
and as many commands as it takes; two web processes, each pair on both; one web process at a fifth
of its greatest rate. The anchors of the same run are in `site_anchors.py`. Prints a line of JSON:
rates in 1/s, times and CPU in ms, and the ratios that are compared with the targets.
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
from pathlib import Path

import psycopg

from tests.bench import site_anchors
from tests.bench.processor import cpu_s, database_cpu_s
from tests.bench.spectators import Player, choose, connect, quantile
from tests.load.racing import Database
from tests.support.site_process import ROOT, SiteProcess, WorkerProcess

# The socket guard admits five frames a second of one connection.
LEAST_WAIT_S = 0.25
LIGHT_LOAD = 0.2
CONNECTING_S = 5
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
# Seconds until the ack, and until the event at the opponent.
Delay = tuple[float, float]


async def play(
    bases: list[str], public_id: str, keys: list[str], wait_s: float, end_at: float
) -> list[Delay]:
    """Play at one table, a command every `wait_s` on average; return the delays of each."""
    rng, delays = random.Random(public_id), []
    players = [
        Player(await connect(base, public_id, key)) for base, key in zip(bases, keys, strict=True)
    ]
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
        delays.append(await command(players, *chosen, seq))
        wish = wait_s if wait_s <= LEAST_WAIT_S else wait_s * rng.uniform(0.5, 1.5)
        await asyncio.sleep(max(0, wish - delays[-1][0]))
    for task in listening:
        task.cancel()
    for player in players:
        await player.socket.close()
    return delays


async def command(players: list[Player], player: Player, frame: dict[str, str], seq: int) -> Delay:
    other = next(each for each in players if each is not player)
    id, sent_at = str(uuid.uuid4()), time.time()
    await player.send(**frame, id=id, seq=seq)
    while id not in player.acked:
        assert id not in player.refused, (frame, player.refused)
        await asyncio.sleep(0.002)
    done, acked_at = player.acked[id]
    # The ack may come before the event.
    while player.newest["seq"] < done or done not in other.heard_at:
        await asyncio.sleep(0.002)
    return acked_at - sent_at, other.heard_at[done] - sent_at


async def play_all(
    bases: list[str], tables: list[list[str]], wait_s: float, end_at: float
) -> list[Delay]:
    played = (play(bases, public_id, keys, wait_s, end_at) for public_id, *keys in tables)
    return [delay for delays in await asyncio.gather(*played) for delay in delays]


def run_tables(
    sites: list[SiteProcess], tables: list[list[str]], seconds: float, wait_s: float = LEAST_WAIT_S
) -> dict[str, float]:
    """Let all tables play; with two sites, each player of a pair is on another one."""
    bases = [sites[0].base, sites[-1].base]
    end_at = time.time() + seconds + CONNECTING_S
    players = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.site", "--players"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert players.stdin is not None
    players.stdin.write(json.dumps([bases, tables, wait_s, end_at]))
    players.stdin.close()
    time.sleep(CONNECTING_S)
    begun, web, database = time.monotonic(), web_cpu_s(sites), database_cpu_s()
    seq = played(sites[0])
    time.sleep(seconds - 1)
    commands = played(sites[0]) - seq
    took = time.monotonic() - begun
    web, database = web_cpu_s(sites) - web, database_cpu_s() - database
    assert players.stdout is not None
    acks, views = zip(*json.loads(players.stdout.read()), strict=True)
    players.wait()
    return {
        "commands": commands / took,
        "web_cpu_ms": 1000 * web / commands,
        "database_cpu_ms": 1000 * database / commands,
        "ack_median_ms": 1000 * quantile(list(acks), 0.5),
        "ack_p99_ms": 1000 * quantile(list(acks), 0.99),
        "opponent_median_ms": 1000 * quantile(list(views), 0.5),
    }


def web_cpu_s(sites: list[SiteProcess]) -> float:
    return sum(cpu_s(site.pid) for site in sites)


def played(site: SiteProcess) -> int:
    """Return the number of commands that are logged."""
    count = "SELECT count(*) FROM games_action WHERE client_id IS NOT NULL"
    with psycopg.connect(site.environment["DATABASE_URL"]) as connection:
        return int(connection.execute(count).fetchone()[0])  # type: ignore[index]


def measure(one: SiteProcess, other: SiteProcess, pairs: int, seconds: float) -> dict[str, float]:
    code = _ARRANGE.format(pairs=pairs)
    tables = json.loads(one.manage("shell", "-v0", "-c", code).stdout.splitlines()[-1])
    with one.start("--no-worker"), WorkerProcess(one.environment, one.errors):
        found = run_tables([one], tables, seconds)
        slow = pairs / (LIGHT_LOAD * found["commands"])
        light = run_tables([one], tables, seconds, slow)
        with other.start("--no-worker"):
            two = run_tables([one, other], tables, seconds)
    found |= {f"light_{name}": value for name, value in light.items()}
    found |= {f"two_{name}": value for name, value in two.items()}
    found |= site_anchors.plain(one, seconds / 3)
    found |= site_anchors.pgbench(one, seconds / 3)
    found["commit_median_ms"] = site_anchors.commit_median_ms(one)
    return found | ratios(found)


def ratios(found: dict[str, float]) -> dict[str, float]:
    median = found["light_ack_median_ms"]
    return {
        "rate_ratio": found["commands"] / found["plain"],
        "cpu_ratio": found["web_cpu_ms"] / found["plain_cpu_ms"],
        "database_cpu_ratio": found["database_cpu_ms"] / found["pgbench_database_cpu_ms"],
        "two_to_one_cpu_ratio": found["two_web_cpu_ms"] / found["web_cpu_ms"],
        "ack_to_commit_ratio": median / found["commit_median_ms"],
        "opponent_to_commit_ratio": found["light_opponent_median_ms"] / found["commit_median_ms"],
        "p99_to_median_ratio": found["light_ack_p99_ms"] / median,
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
