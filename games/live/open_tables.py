"""The tables that this process serves, checked against the database every few seconds.

The channel layer may lose its last message with nothing after it to show the gap. One query for
all open tables repairs that, even while the layer is down. And who holds a seat in a match for
credits and was heard of lately, is noted: others can tell a lost connection by it.
"""

import asyncio
import logging
import time
from typing import Protocol
from uuid import UUID
from weakref import WeakSet

from django.utils import timezone

from accounts.executor import hop
from games import selectors
from games.services import presence

logger = logging.getLogger(__name__)
CHECK_EVERY_S = 5
# Less than two checks: one that comes a little early is not put off to the next.
NOTE_EVERY_S = 9
# Pages say something every five seconds.
HEARD_WITHIN_S = 15


class Table(Protocol):
    """A player's connection, or the spectators of a match."""

    public_id: str

    async def catch_up(self, newest: int) -> None: ...

    def live_holder(self, since: float) -> UUID | None: ...


class OpenTables:
    """Starts its check with the first table and ends it with the last."""

    def __init__(self) -> None:
        self._tables: WeakSet[Table] = WeakSet()
        self._task: asyncio.Task[None] | None = None
        self._noted_at = float("-inf")

    def add(self, table: Table) -> None:
        self._tables.add(table)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._watch())

    def discard(self, table: Table) -> None:
        self._tables.discard(table)

    async def check(self) -> None:
        """Bring every table of this process up to date."""
        tables = list(self._tables)
        newest = await hop(selectors.newest_seqs, {table.public_id for table in tables})
        for table in tables:
            try:
                await table.catch_up(newest.get(table.public_id, -1))
            except Exception:  # a connection that is just going must not cost the others
                logger.exception("table not checked", extra={"match": table.public_id})

    async def note_life(self, now: float) -> None:
        """Note which holders were heard of; `now` in the seconds of time.monotonic()."""
        if now - self._noted_at < NOTE_EVERY_S:
            return
        self._noted_at = now
        heard = [table.live_holder(now - HEARD_WITHIN_S) for table in self._tables]
        holders = {holder for holder in heard if holder is not None}
        if holders:
            await hop(presence.hear, holders, timezone.now())

    async def _watch(self) -> None:
        while self._tables:
            await asyncio.sleep(CHECK_EVERY_S)
            try:
                await self.check()
            except Exception:
                logger.exception("open tables not checked")
            try:
                await self.note_life(time.monotonic())
            except Exception:
                logger.exception("holders not noted")


OPEN_TABLES = OpenTables()
