"""Compare the CPU time of delivering an event to a spectator with that of an echo by Channels.

    TEST_POSTGRES_URL=postgres://... TEST_REDIS_URL=redis://... python -m tests.bench.deliveries
        [--spectators 300] [--seconds 20]

Two players play as fast as the socket guard admits, without and with spectators, who only listen.
The cost of a delivery is the CPU time that the spectators add to a command in the web process,
divided by their number. The echo is a consumer of Channels in a separate Daphne; its sockets send
texts as long as an event. Print a line of JSON with CPU in ms.
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
from collections.abc import Coroutine, Iterable
from pathlib import Path
from typing import Any

import websockets

from tests.bench.bare_daphne import bare_daphne
from tests.bench.processor import cpu_s
from tests.bench.spectators import _ARRANGE, Player, act, connect
from tests.load.racing import Database
from tests.support.own_process import ROOT
from tests.support.site_process import SiteProcess

# Seconds between two commands: the socket guard admits five frames a second of one connection.
WAIT_S = 0.25
SETTLE_S = 3  # from opening or closing the crowd's sockets to the next measurement
ECHO_WAIT_S = 0.5  # from an echo to the next text on the same socket
JOIN = json.dumps({"t": "join", "v": 1, "since": -1, "hold": False})


async def listen(base: str, match: str, key: str, count: int) -> None:
    """Hold the sockets of spectators until the input ends."""
    sockets = [await connect(base, match, key) for _ in range(count)]
    for socket in sockets:
        await socket.send(JOIN)
    await work(drop_all(socket) for socket in sockets)


async def drop_all(socket: Any) -> None:
    async for _ in socket:
        pass


async def echo(base: str, length: int, count: int) -> None:
    """Send texts of this length on all sockets; print the echo count at each line of input."""
    address = base.replace("http", "ws", 1)
    sockets = [await websockets.connect(address) for _ in range(count)]
    await work(send_and_receive(socket, length) for socket in sockets)


async def send_and_receive(socket: Any, length: int) -> None:
    await asyncio.sleep(ECHO_WAIT_S * random.random())
    while True:
        await socket.send("x" * length)
        await socket.recv()
        echoes.append(length)
        await asyncio.sleep(ECHO_WAIT_S)


echoes: list[int] = []


async def work(jobs: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Run the jobs until the input ends; print the number of echoes at each line of input."""
    running = [asyncio.create_task(job) for job in jobs]
    print("here", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        print(len(echoes), flush=True)
    for task in running:
        task.cancel()
    os._exit(0)


def crowd(*arguments: str) -> subprocess.Popen[str]:
    """Start a process that holds sockets; return when they are open."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.deliveries", *arguments],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline().strip() == "here"
    time.sleep(SETTLE_S)
    return process


async def cpu_of_a_command(players: list[Player], pid: int, seconds: float) -> float:
    rng, begun, commands, used = random.Random(1), time.monotonic(), 0, cpu_s(pid)
    while time.monotonic() < begun + seconds:
        await act(players, rng)
        commands += 1
        await asyncio.sleep(WAIT_S)
    return (cpu_s(pid) - used) / commands


async def cost_of_delivery(site: SiteProcess, count: int, seconds: float) -> tuple[float, int]:
    """Return the CPU seconds of a delivery, and the newest event's length in characters."""
    arranged = json.loads(site.manage("shell", "-v0", "-c", _ARRANGE).stdout.splitlines()[-1])
    match, keys = arranged["match"], arranged["keys"]
    players = [Player(await connect(site.base, match, key)) for key in keys[:2]]
    listening = [asyncio.create_task(player.listen()) for player in players]
    for player in players:
        await player.send(t="join", v=1, since=-1, hold=True)
    while not all(player.newest for player in players):
        await asyncio.sleep(0.01)
    alone = [await cpu_of_a_command(players, site.pid, seconds)]
    watching = await asyncio.to_thread(crowd, "--listen", site.base, match, keys[2], str(count))
    watched = await cpu_of_a_command(players, site.pid, seconds)
    watching.communicate()
    await asyncio.sleep(SETTLE_S)
    alone.append(await cpu_of_a_command(players, site.pid, seconds))
    for task in listening:
        task.cancel()
    return (watched - sum(alone) / 2) / count, len(json.dumps(players[0].newest))


def cost_of_echo(length: int, count: int, seconds: float) -> float:
    with bare_daphne("echo") as (base, pid):
        sending = crowd("--echo", base, str(length), str(count))
        used, echoed = cpu_s(pid), number_of_echoes(sending)
        time.sleep(seconds)
        used, echoed = cpu_s(pid) - used, number_of_echoes(sending) - echoed
        sending.communicate()
    return used / echoed


def number_of_echoes(sending: subprocess.Popen[str]) -> int:
    assert sending.stdin is not None
    assert sending.stdout is not None
    sending.stdin.write("\n")
    sending.stdin.flush()
    return int(sending.stdout.readline())


def main() -> None:
    if sys.argv[1:2] == ["--listen"]:
        asyncio.run(listen(*sys.argv[2:5], int(sys.argv[5])))
    if sys.argv[1:2] == ["--echo"]:
        asyncio.run(echo(sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spectators", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    with Database(os.environ["TEST_POSTGRES_URL"]) as database, tempfile.TemporaryDirectory() as at:
        variables = {
            "DATABASE_URL": database.url,
            "REDIS_URL": os.environ["TEST_REDIS_URL"],
            "DEBUG": "0",
            "SOCKETS_PER_USER": str(2 * given.spectators),
            "SOCKETS_PER_ADDRESS": str(2 * given.spectators),
        }
        with SiteProcess(Path(at), **variables).start("--no-worker") as site:
            delivery, length = asyncio.run(cost_of_delivery(site, given.spectators, given.seconds))
        echoed = cost_of_echo(length, max(20, given.spectators // 5), given.seconds)
    found = {"delivery_ms": 1000 * delivery, "echo_ms": 1000 * echoed, "characters": length}
    print(json.dumps({**found, "ratio": delivery / echoed}))


if __name__ == "__main__":
    main()
