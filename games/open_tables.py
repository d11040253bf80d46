"""The tables that this process serves, checked against the database every few seconds.

The channel layer may lose its last message with nothing after it to show the gap. One query for
all open tables repairs that, even while the layer is down.
"""

import asyncio
import logging
from typing import TYPE_CHECKING
from weakref import WeakSet

from accounts.executor import hop
from games import selectors

if TYPE_CHECKING:
    from games.consumers import MatchConsumer

logger = logging.getLogger(__name__)
CHECK_EVERY_S = 5


class OpenTables:
    """Starts its check with the first table and ends it with the last."""

    def __init__(self) -> None:
        self._tables: WeakSet[MatchConsumer] = WeakSet()
        self._task: asyncio.Task[None] | None = None

    def add(self, table: "MatchConsumer") -> None:
        self._tables.add(table)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._watch())

    def discard(self, table: "MatchConsumer") -> None:
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

    async def _watch(self) -> None:
        while self._tables:
            await asyncio.sleep(CHECK_EVERY_S)
            try:
                await self.check()
            except Exception:
                logger.exception("open tables not checked")


OPEN_TABLES = OpenTables()
