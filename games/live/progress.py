"""Read the progress of matches for the pings of all players of this process."""

import asyncio
from contextvars import Context

from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import run_in_db_thread
from games.protocol import snapshots
from games.protocol.snapshots import Progress

Reading = asyncio.Task[dict[str, Progress]]


class ProgressReader:
    """A request starts a query if none is running; requests during a query share the next one."""

    def __init__(self) -> None:
        self._wanted: set[str] = set()
        self._running: Reading | None = None
        self._next: Reading | None = None

    async def read(self, public_id: str) -> Progress:
        """Raise KeyError if there is no such match."""
        self._wanted.add(public_id)
        if self._next is None or self._next.done():
            # In an empty context: its log lines are not about the match of the first request.
            self._next = asyncio.create_task(self._read(), context=Context())
        found = await asyncio.shield(self._next)  # a client that leaves cancels nothing
        return found[public_id]

    async def _read(self) -> dict[str, Progress]:
        if self._running is not None and not self._running.done():
            await asyncio.wait([self._running])
        wanted, self._wanted = self._wanted, set()
        self._running, self._next = self._next, None
        return await run_in_db_thread(snapshots.progress, wanted, CLOCK.now())


PROGRESS = ProgressReader()
