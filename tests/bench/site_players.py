"""Players of a bench: pairs of members who roll and play at random over real sockets.

They run in a separate process, so that their processor time does not count as the site's.
"""

import asyncio
import json
import math
import random
import subprocess
import sys
import time
import uuid
from collections.abc import Sequence

from tests.bench.spectators import Player, choose, connect
from tests.support.own_process import ROOT
from tests.support.site_process import SiteProcess

# Least seconds between two commands at a table. The socket guard admits five frames a second from
# one connection; this leaves room for pings.
LEAST_WAIT_S = 0.25
ASK_AFTER_S = 5  # from an ack until a client asks for its event, which may be lost
PING_EVERY_S = 5
# Pairs that connect at once: the site ends handshakes that wait too long.
_HANDSHAKES = asyncio.Semaphore(10)
CONNECTED_PER_S = 8  # pairs
# Number of pairs whose matches one `manage.py` command starts: few enough for its time limit.
PAIRS_AT_ONCE = 100
_ARRANGE = """
import json, sys
from uuid import uuid4
from games.engine.sides import Side
from tests.accounts.factories import session_key
from tests.games.factories import StakeSitting
from tests.wallet.factories import player
tables = []
for _ in range({count}):
    users = [player(f"{{side}}{{uuid4().hex[:12]}}") for side in "wb"]
    sitting = StakeSitting(*users, length=25, rules={{"cube": False}}).sit().start_game()
    for side in Side:
        sitting.go(side)
    tables.append([sitting.public_id, *map(session_key, users)])
print(json.dumps(tables))
"""
# Seconds from sending a command to its ack, and to the event at the opponent.
Delay = tuple[float, float]
# When measuring begins and ends, in seconds since 1970; earlier commands do not count.
Span = tuple[float, float]


async def play(
    bases: list[str],
    public_id: str,
    keys: list[str],
    wait_s: float,
    span: Span,
    connected: asyncio.Barrier,
) -> list[Delay]:
    """Play at one table, a command every `wait_s` on average; return the delays within `span`.

    Begin when every table has passed `connected`. Send no commands if `wait_s` is infinite.
    """
    rng, delays = random.Random(public_id), []
    async with _HANDSHAKES:
        players = [
            Player(await connect(base, public_id, key))
            for base, key in zip(bases, keys, strict=True)
        ]
    tasks = [asyncio.create_task(player.listen()) for player in players]
    for player in players:
        await player.send(t="join", v=1, since=-1, hold=True)
    tasks += [asyncio.create_task(ping(player)) for player in players]
    # Tables that played already would take all the time of the site, and the handshakes of the
    # others would time out.
    await connected.wait()
    begin_at, end_at = span
    assert time.time() < begin_at, "the players connected too late"
    if wait_s == math.inf:
        await asyncio.sleep(end_at - time.time())
    while wait_s < math.inf and time.time() < end_at:
        seq = max(player.newest.get("seq", 0) for player in players)
        ready = (p for p in players if p.newest.get("seq") == seq and p.newest["may"])
        chosen = next(((p, frame) for p in ready if (frame := choose(p, rng))), None)
        if chosen is None:
            await asyncio.sleep(0.005)
            continue
        sent_at = time.time()
        delay = await command(players, *chosen, seq)
        if sent_at >= begin_at:
            delays.append(delay)
        wish = wait_s if wait_s <= LEAST_WAIT_S else wait_s * rng.uniform(0.5, 1.5)
        await asyncio.sleep(max(0, wish - delay[0]))
    for task in tasks:
        task.cancel()
    for player in players:
        await player.socket.close()
    return delays


async def ping(player: Player) -> None:
    """Ping as pages do; a player whose page is silent counts as gone."""
    while True:
        await asyncio.sleep(PING_EVERY_S)
        await player.send(t="ping", seq=player.newest.get("seq", -1))


async def command(players: list[Player], player: Player, frame: dict[str, str], seq: int) -> Delay:
    other = next(each for each in players if each is not player)
    id, sent_at = str(uuid.uuid4()), time.time()
    await player.send(**frame, id=id, seq=seq)
    while id not in player.acked:
        assert id not in player.refused, (frame, player.refused)
        await asyncio.sleep(0.002)
    done, acked_at = player.acked[id]
    # The ack may come before the event, and an event may be lost: clients ask now and then.
    asks_at = time.time() + ASK_AFTER_S
    while any(each.newest.get("seq", -1) < done for each in players):
        await asyncio.sleep(0.002)
        if time.time() > asks_at:
            asks_at += ASK_AFTER_S
            for each in players:
                await each.send(t="sync", since=each.newest.get("seq", -1))
    heard_at = min(at for seq, at in other.heard_at.items() if seq >= done)
    return acked_at - sent_at, heard_at - sent_at


async def play_all(
    bases: list[str], tables: list[list[str]], wait_s: float, span: Span
) -> list[Delay]:
    connected = asyncio.Barrier(len(tables))
    played = (play(bases, public_id, keys, wait_s, span, connected) for public_id, *keys in tables)
    return [delay for delays in await asyncio.gather(*played) for delay in delays]


class Playing:
    """A process in which all tables play for `seconds`, after some time to connect."""

    def __init__(
        self,
        processes: Sequence[SiteProcess],
        tables: list[list[str]],
        seconds: float,
        wait_s: float = LEAST_WAIT_S,
    ) -> None:
        """Connect the players of each pair to different processes of the site if there are two."""
        connecting_s = 5 + len(tables) / CONNECTED_PER_S
        bases = [processes[0].base, processes[-1].base]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.site_players"],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._process.stdin is not None
        begin_at = time.time() + connecting_s
        arguments = [bases, tables, wait_s, [begin_at, begin_at + seconds]]
        self._process.stdin.write(json.dumps(arguments))
        self._process.stdin.close()
        time.sleep(connecting_s)

    def delays(self) -> tuple[list[float], list[float]]:
        """Wait for the end; return the seconds until the acks and until the opponents' events."""
        assert self._process.stdout is not None
        delays = json.loads(self._process.stdout.read())
        self._process.wait()
        return [ack for ack, _ in delays], [view for _, view in delays]


def arrange(site: SiteProcess, pairs: int) -> list[list[str]]:
    """Start a match for each pair; return its public id and the keys of their sessions."""
    tables: list[list[str]] = []
    for first in range(0, pairs, PAIRS_AT_ONCE):
        code = _ARRANGE.format(count=min(pairs - first, PAIRS_AT_ONCE))
        done = site.manage("shell", "-v0", "-c", code)
        assert done.returncode == 0, done.stderr
        tables += json.loads(done.stdout.splitlines()[-1])
    return tables


def main() -> None:
    sys.stdout.write(json.dumps(asyncio.run(play_all(*json.load(sys.stdin)))))


if __name__ == "__main__":
    main()
