"""Measure what five hundred spectators cost the players of one table.

    python -m tests.bench.spectators [--spectators 500] [--commands 40] [--rounds 2]

Start a site in one process, on DATABASE_URL and REDIS_URL if they are set. Two players roll and
play at random, with two commands a second; another process holds the spectators' sockets, each with
a ping every five seconds. Phases without and with the spectators alternate. Print the delay from a
command to its ack and to the other player's event, and the delay from the moment when both players
have the event to the spectators' event.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import Any

import websockets

from tests.games.protocol.independent_client import point_name
from tests.support.own_process import ROOT
from tests.support.site_process import SiteProcess

# The most that spectators may add to the median delay of the other player's event.
MAX_MS = 50
_ARRANGE = """
import hashlib, json
from datetime import timedelta
from uuid import uuid4
from django.utils import timezone
from games.models.actor import Actor
from games.engine.rules import Rules
from games.models import Match
from games.protocol.incoming import Command
from games.services import actions, seats
from lobby.services import announcing, joining
from tests.accounts.factories import session_key
from tests.wallet.factories import player
users = [player("white5"), player("black5")]
now = timezone.now()
rules = Rules.of("short", length=25, delay_ms=90_000, cube=False)
seek = announcing.announce(users[0], announcing.Announcement(rules, 100), now)
match = joining.join(seek.public_id, users[1], now)
actors = []
for user in users:
    holder = uuid4()
    seats.take(match.public_id, Actor(user_id=user.pk), holder, now)
    actors.append(Actor(user_id=user.pk, holder=holder))
for t, fields in (("entropy_hash", {"hash": hashlib.sha256(b"x").hexdigest()}),
                  ("entropy", {"entropy": b"x".hex()})):
    for actor in actors:
        match.refresh_from_db()
        actions.submit(match.public_id, actor, Command(t, uuid4(), match.seq, fields), now)
keys = [session_key(user) for user in [*users, None]]
print(json.dumps({"match": match.public_id, "keys": keys}))
"""


def connect(base: str, match: str, key: str) -> Any:
    return websockets.connect(
        base.replace("http", "ws", 1) + f"/ws/match/{match}/",
        origin=base,  # type: ignore[arg-type]
        additional_headers={"Cookie": f"sessionid={key}"},
        max_size=2**20,
        open_timeout=60,
    )


class Player:
    """One of the two players; `newest` = the last state or event.

    `heard_at` = the times at which events arrived, by their seq. `acked` = the seq and the time of
    each ack, and `refused` = the code of each refusal, by the command's id.
    """

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.newest: dict[str, Any] = {}
        self.heard_at: dict[int, float] = {}
        self.acked: dict[str, tuple[int, float]] = {}
        self.refused: dict[str, str] = {}

    async def listen(self) -> None:
        async for text in self.socket:
            frame = json.loads(text)
            if frame["t"] in ("state", "event"):
                self.newest = frame
                self.heard_at.setdefault(frame["seq"], time.time())
            elif frame["t"] == "ack":
                self.acked[frame["id"]] = (frame["seq"], time.time())
            elif frame["t"] == "error":
                self.refused[frame["id"]] = frame["code"]
            elif frame["t"] == "lag":
                await self.socket.send(json.dumps({"t": "lag", "n": frame["n"]}))

    async def send(self, **frame: Any) -> None:
        await self.socket.send(json.dumps(frame))


async def act(players: list[Player], rng: random.Random) -> tuple[float, float]:
    """Act for the side on turn; return the ms until the ack and until the other player's event."""
    while True:
        seq = max(player.newest["seq"] for player in players)
        ready = [p for p in players if p.newest["seq"] == seq and p.newest["may"]]
        acting = next((p for p in ready if choose(p, rng)), None)
        if acting is not None and len(ready) == 2:
            break
        await asyncio.sleep(0.01)
    other = next(player for player in players if player is not acting)
    id, sent_at = str(uuid.uuid4()), time.time()
    await acting.send(**choose(acting, rng), id=id, seq=seq)
    async with asyncio.timeout(30):
        while id not in acting.acked or acting.acked[id][0] not in other.heard_at:
            await asyncio.sleep(0.001)
    done, acked_at = acting.acked[id]
    return 1000 * (acked_at - sent_at), 1000 * (other.heard_at[done] - sent_at)


def choose(player: Player, rng: random.Random) -> dict[str, Any]:
    """Return the frame of a command that the player may send now, a play at random; {} if none."""
    may, plays = player.newest["may"], player.newest["plays"]
    if may["play"] and plays:
        node, moves = 0, []
        while node not in plays["finals"]:
            source, target, _die, is_hit, node = rng.choice(plays["edges"][node])
            moves.append(f"{point_name(source)}/{point_name(target)}{'*' * is_hit}")
        return {"t": "play", "d": " ".join(moves)}
    if may["roll"]:
        return {"t": "roll"}
    return {"t": "next"} if may["next"] else {}


async def phase(players: list[Player], commands: int, rng: random.Random) -> list[Any]:
    """Send commands, two a second; return the delays of each."""
    measured = []
    for _ in range(commands):
        begun = time.monotonic()
        measured.append(await act(players, rng))
        await asyncio.sleep(max(0, 0.5 - (time.monotonic() - begun)))
    return measured


class Crowd:
    """Starts and ends the process that holds the spectators' sockets."""

    def __init__(self, base: str, match: str, key: str, count: int) -> None:
        self.arguments = [base, match, key, str(count)]

    async def start(self) -> None:
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.bench.spectators", "--crowd", *self.arguments,
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, limit=2**26,
        )  # fmt: skip
        assert self._process.stdout is not None
        assert (await self._process.stdout.readline()).strip() == b"here"

    async def end(self) -> dict[int, list[float]]:
        """End the process; return the times at which spectators received events, by their seq."""
        out, _ = await self._process.communicate(b"go\n")
        return {int(seq): moments for seq, moments in json.loads(out).items()}


async def crowd(base: str, match: str, key: str, count: int) -> None:
    heard: dict[int, list[float]] = {}

    async def watch(number: int) -> None:
        await sockets[number].send(json.dumps({"t": "join", "v": 1, "since": -1, "hold": False}))
        async for text in sockets[number]:
            if text.startswith('{"t":"event"'):
                seq = int(text[len('{"t":"event","seq":') : 40].split(",")[0])
                heard.setdefault(seq, []).append(time.time())

    async def ping(number: int) -> None:
        await asyncio.sleep(5 * random.random())
        while True:
            await sockets[number].send(PING)
            await asyncio.sleep(5)

    sockets = []
    for _ in range(count):
        sockets.append(await connect(base, match, key))
    tasks = [asyncio.create_task(watch(number)) for number in range(count)]
    await asyncio.sleep(3)
    tasks += [asyncio.create_task(ping(number)) for number in range(count)]
    sys.stdout.write("here\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.readline)
    sys.stdout.write(json.dumps(heard) + "\n")
    sys.stdout.flush()
    os._exit(0)


# A seq above any real one, so that the answer is only a pong.
PING = '{"t":"ping","seq":2147483647}'


async def bench(options: argparse.Namespace, site: SiteProcess, arranged: Any) -> None:
    match, keys = arranged["match"], arranged["keys"]
    rng = random.Random(options.seed)
    players = []
    for key in keys[:2]:
        player = Player(await connect(site.base, match, key))
        players.append(player)
        asyncio.get_running_loop().create_task(player.listen())
        await player.send(t="join", v=1, since=-1, hold=True)
    while not all(player.newest for player in players):
        await asyncio.sleep(0.01)
    await phase(players, 5, rng)
    measured: dict[int, list[Any]] = {0: [], options.spectators: []}
    delays: list[float] = []
    for _ in range(options.rounds):
        measured[0] += await phase(players, options.commands, rng)
        watching = Crowd(site.base, match, keys[2], options.spectators)
        await watching.start()
        measured[options.spectators] += await phase(players, options.commands, rng)
        await asyncio.sleep(2)
        heard = await watching.end()
        for seq, moments in heard.items():
            both_at = max(player.heard_at.get(seq, 0) for player in players)
            if both_at:
                delays += [1000 * (moment - both_at) for moment in moments]
    report(measured, delays, options)


def report(
    measured: dict[int, list[Any]], delays: list[float], options: argparse.Namespace
) -> None:
    medians = {}
    for count, rows in measured.items():
        acks, events = zip(*rows, strict=True)
        medians[count] = statistics.median(events)
        print(f"{count:4} spectators, {len(rows)} commands: {spread('the other hears', events)},")
        print(f"     {spread('the sender is answered', acks)}")
    if delays:
        early = sum(delay < 0 for delay in delays) / len(delays)
        print(
            f"spectators hear {statistics.median(delays):.1f} ms after the players"
            f" (p99 {quantile(delays, 0.99):.1f}); {early:.1%} before the second of them;"
            f" {len(delays)} frames"
        )
    more = medians[options.spectators] - medians[0]
    verdict = "within" if more <= MAX_MS else "ABOVE"
    print(f"delay by spectators: {more:+.1f} ms at the median, {verdict} {MAX_MS} ms")


def spread(what: str, values: Any) -> str:
    return f"{what} after {statistics.median(values):.1f} ms (p90 {quantile(values, 0.9):.1f})"


def quantile(values: Any, part: float) -> float:
    ordered = sorted(values)
    return float(ordered[min(len(ordered) - 1, int(part * len(ordered)))])


def main() -> None:
    if sys.argv[1:2] == ["--crowd"]:
        base, match, key, count = sys.argv[2:]
        asyncio.run(crowd(base, match, key, int(count)))
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spectators", type=int, default=500)
    parser.add_argument("--commands", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    own = {name: os.environ[name] for name in ("DATABASE_URL", "REDIS_URL") if name in os.environ}
    with tempfile.TemporaryDirectory() as folder:
        caps = {"SOCKETS_PER_USER": "2000", "SOCKETS_PER_ADDRESS": "2000"}
        site = SiteProcess(Path(folder), **caps, **own)
        done = site.manage("shell", "-v0", "-c", _ARRANGE)
        assert done.returncode == 0, done.stderr
        with site:
            asyncio.run(bench(options, site, json.loads(done.stdout.splitlines()[-1])))


if __name__ == "__main__":
    main()
