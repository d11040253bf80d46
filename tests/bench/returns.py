"""Measure what it costs a web process when all players return at once.

    TEST_POSTGRES_URL=postgres://... TEST_REDIS_URL=redis://... python -m tests.bench.returns
        [--tables 100] [--times 5]

All connections are cut, as by a killed process, and every player opens another at once and joins.
Print a line of JSON: CPU ms of the web process and of PostgreSQL for each player, the ms until the
median and the last player have the state, and the mean number of connections that this takes, since
pages give up and try again. `plain_cpu_ms` is the CPU of a plain transaction.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from websockets.exceptions import WebSocketException

from tests.bench import site_anchors
from tests.bench.processor import cpu_s, database_cpu_s
from tests.bench.site_players import arrange
from tests.bench.spectators import connect
from tests.load.racing import Database
from tests.support.site_process import SiteProcess

SETTLE_S = 3  # for the work that goes on after a returning player has the state
# As in the pages: match-socket.js, backoff.js.
OPEN_WITHIN_S = 12.0
GIVE_UP_AFTER_S = 6.0
FIRST_DELAY_S = 0.2
LONGEST_DELAY_S = 5.0


class Seat:
    """A player's place at a table, over any number of connections."""

    def __init__(self, base: str, public_id: str, key: str) -> None:
        self._place = base, public_id, key
        self._socket: Any = None
        self._token: str | None = None
        self.tries = 0

    async def return_after(self, begun: float) -> float:
        """Connect and join, again and again; return the seconds from `begun` until the state."""
        for failures in itertools.count():
            self.tries += 1
            try:
                async with asyncio.timeout(OPEN_WITHIN_S):
                    self._socket = await connect(*self._place)
                async with asyncio.timeout(GIVE_UP_AFTER_S):
                    await self._join()
                return time.monotonic() - begun
            except (OSError, TimeoutError, WebSocketException):
                span_s = min(LONGEST_DELAY_S, FIRST_DELAY_S * 2**failures)
                await asyncio.sleep(span_s * random.uniform(0.5, 1))
        raise AssertionError

    async def _join(self) -> None:
        try:
            join = {"t": "join", "v": 1, "since": -1, "hold": True, "token": self._token}
            await self._socket.send(json.dumps(join))
            while (frame := json.loads(await self._socket.recv()))["t"] != "state":
                pass
        except BaseException:
            self.cut()
            raise
        self._token = frame["you"]["token"]

    def cut(self) -> None:
        self._socket.transport.abort()


async def return_all(site: SiteProcess, tables: list[list[str]], times: int) -> dict[str, float]:
    seats = [Seat(site.base, public_id, key) for public_id, *keys in tables for key in keys]
    for seat in seats:
        await seat.return_after(0)
    found = []
    for _ in range(times):
        await asyncio.sleep(SETTLE_S)
        for seat in seats:
            seat.cut()
            seat.tries = 0
        web, database, begun = cpu_s(site.pid), database_cpu_s(), time.monotonic()
        took = sorted(await asyncio.gather(*(seat.return_after(begun) for seat in seats)))
        await asyncio.sleep(SETTLE_S)
        found.append(
            {
                "web_cpu_ms": 1000 * (cpu_s(site.pid) - web) / len(seats),
                "database_cpu_ms": 1000 * (database_cpu_s() - database) / len(seats),
                "median_ms": 1000 * statistics.median(took),
                "last_ms": 1000 * took[-1],
                "tries": statistics.mean(seat.tries for seat in seats),
            }
        )
    return {name: statistics.median(each[name] for each in found) for name in found[0]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--times", type=int, default=5)
    given = parser.parse_args()
    with Database(os.environ["TEST_POSTGRES_URL"]) as database, tempfile.TemporaryDirectory() as at:
        variables = {
            "DATABASE_URL": database.url,
            "REDIS_URL": os.environ["TEST_REDIS_URL"],
            "DEBUG": "0",
            "SOCKETS_PER_ADDRESS": str(4 * given.tables),  # all players come from one address
        }
        site = SiteProcess(Path(at), **variables)
        tables = arrange(site, given.tables + site_anchors.MATCHES)[: given.tables]
        with site.start("--no-worker"):
            found = asyncio.run(return_all(site, tables, given.times))
            found["plain_cpu_ms"] = site_anchors.measure(site, 5)["plain_cpu_ms"]
    print(json.dumps({name: round(value, 2) for name, value in found.items()}))


if __name__ == "__main__":
    main()
