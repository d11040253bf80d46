"""The tables that this process serves, checked against the database every few seconds.

The channel layer may lose a message; if no later one follows, nothing reveals it. One query for all
open tables finds lost actions, even while the layer is down, and soon after it is back. Others find
lost news: that a player came or went, or about a rematch. Other queries find chat messages that
were lost or hidden. In matches that count absence, another check stores which holders of seats are
alive, so that other processes can detect a lost connection.
"""

import asyncio
import logging
import time
from collections import deque
from typing import Any, Protocol
from uuid import UUID
from weakref import WeakSet

from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import run_in_db_thread
from games import selectors
from games.protocol import snapshots
from games.protocol.snapshots import News
from games.services import chat, seats

logger = logging.getLogger(__name__)
# Seconds between two checks.
CHECK_EVERY_S = 5
# Seconds in which an action that is in the database reaches a table, unless its message was lost.
DELIVERED_WITHIN_S = 0.5
# Number of checks that look for the same chat messages, since a message may be committed after one
# with a higher id.
CHECKS_OF_A_MESSAGE = 3
# Least seconds between two writes of the holders that are alive. Less than two intervals of the
# check, so that every second check writes them even if it runs a little early. After a failed write
# there is time for another before a seat counts as silent.
NOTE_EVERY_S = 9
# Seconds for which a client counts as alive after a frame from it; pages ping every five.
HEARD_WITHIN_S = 15


class Table(Protocol):
    """A player's connection, or the audience of a match."""

    public_id: str

    @property
    def chat_room(self) -> str: ...

    async def hear(self, message: dict[str, Any]) -> None: ...

    async def catch_up(self, newest: int) -> None: ...

    async def hear_news(self, newest: News) -> None: ...

    def live_holder(self, since: float) -> UUID | None: ...


class OpenTables:
    """Runs its checks from the first table added until the last is discarded."""

    def __init__(self) -> None:
        self._tables: WeakSet[Table] = WeakSet()
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._expected: dict[Table, int] = {}
        self._catching_up: set[asyncio.Task[None]] = set()
        self._noted_at = float("-inf")
        # Id of the newest chat message at each of the last checks.
        self._newest_messages: deque[int] = deque(maxlen=CHECKS_OF_A_MESSAGE)

    def add(self, table: Table) -> None:
        self._tables.add(table)
        # In separate tasks: if a slow query of another check delayed the note of live holders,
        # present players would count as absent.
        for watch in (self._watch, self._watch_chats, self._watch_holders):
            task = self._tasks.get(watch.__name__)
            if task is None or task.done():
                self._tasks[watch.__name__] = asyncio.get_running_loop().create_task(watch())

    def discard(self, table: Table) -> None:
        self._tables.discard(table)

    def __len__(self) -> int:
        return len(self._tables)

    def expect(self, table: Table, newest: int) -> None:
        """Let the table catch up if the message of this action does not arrive in time.

        A call while the table waits only raises `newest`; it does not prolong the wait.
        """
        is_waiting = table in self._expected
        self._expected[table] = max(newest, self._expected.get(table, -1))
        if not is_waiting:
            loop = asyncio.get_running_loop()
            loop.call_later(DELIVERED_WITHIN_S, self._end_waiting, table)

    def _end_waiting(self, table: Table) -> None:
        newest = self._expected.pop(table)
        if table in self._tables:
            self._catching_up.add(task := asyncio.create_task(self._catch_up(table, newest)))
            task.add_done_callback(self._catching_up.discard)

    async def _catch_up(self, table: Table, newest: int) -> None:
        try:
            await table.catch_up(newest)
        except Exception:  # a closing connection must not cost the others their check
            logger.exception("table not checked", extra={"match": table.public_id})

    async def check(self) -> None:
        """Let every table of this process catch up with the last seq in the database."""
        tables = list(self._tables)
        newest = await run_in_db_thread(
            selectors.newest_seqs, {table.public_id for table in tables}
        )
        for table in tables:
            await self._catch_up(table, newest.get(table.public_id, -1))

    async def check_with_news(self) -> None:
        """Let every table catch up, then send the news that differ from those it sent last.

        The news are read first: otherwise those of a match that ends meanwhile could be sent before
        its end.
        """
        public_ids = {table.public_id for table in self._tables}
        newest = await run_in_db_thread(snapshots.newest_news, public_ids, CLOCK.now())
        await self.check()
        for table in list(self._tables):
            try:
                await table.hear_news(newest.get(table.public_id, {}))
            except Exception:  # a closing connection must not cost the others their news
                logger.exception("news not checked", extra={"match": table.public_id})

    async def check_chats(self) -> None:
        """Give every table the messages of its room since an earlier check.

        A table drops the messages that it knows. The first check, as soon as a table is open, only
        notes where the next one begins. Each check also repeats the frames that hide recently
        removed messages.
        """
        tables = list(self._tables)
        rooms = {table.chat_room for table in tables}
        since = self._newest_messages[0] if self._newest_messages else None
        newest, written = await run_in_db_thread(chat.written_after, since, rooms)
        self._newest_messages.append(newest)
        hidden = await run_in_db_thread(chat.hidden_lately, CLOCK.now(), rooms)
        for table in tables:
            room = table.chat_room
            for message in (*written.get(room, ()), *hidden.get(room, ())):
                try:
                    await table.hear(message)
                except Exception:  # a closing connection must not cost the others their messages
                    logger.exception("chat not checked", extra={"match": table.public_id})

    async def note_life(self, now: float) -> None:
        """Store which holders are alive; `now` in seconds of time.monotonic()."""
        if now - self._noted_at < NOTE_EVERY_S:
            return
        heard = [table.live_holder(now - HEARD_WITHIN_S) for table in self._tables]
        holders = {holder for holder in heard if holder is not None}
        if holders:
            await run_in_db_thread(seats.mark_seen, holders, CLOCK.now())
        self._noted_at = now  # after a failure the next check writes again

    def check_soon(self) -> None:
        """Check before the next interval ends: messages were lost while the layer was down.

        Messages of the actions committed until now get the time that they need to arrive.
        """
        if self._tables:
            asyncio.get_running_loop().call_later(DELIVERED_WITHIN_S, self._start_check)

    def _start_check(self) -> None:
        self._catching_up.add(task := asyncio.create_task(self._check_and_log()))
        task.add_done_callback(self._catching_up.discard)

    async def _watch(self) -> None:
        while self._tables:
            await asyncio.sleep(CHECK_EVERY_S)
            await self._check_and_log()

    async def _check_and_log(self) -> None:
        try:
            await self.check_with_news()
        except Exception:
            logger.exception("open tables not checked")

    async def _watch_holders(self) -> None:
        while self._tables:
            await asyncio.sleep(CHECK_EVERY_S)
            try:
                await self.note_life(time.monotonic())
            except Exception:
                logger.exception("holders not noted")

    async def _watch_chats(self) -> None:
        self._newest_messages.clear()
        while self._tables:
            try:
                await self.check_chats()
            except Exception:
                logger.exception("chats not checked")
            await asyncio.sleep(CHECK_EVERY_S)


OPEN_TABLES = OpenTables()
