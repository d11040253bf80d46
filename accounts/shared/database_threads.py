"""Run database work of the sockets in threads of our own.

Channels' default runs all ORM work of a process in one thread. On SQLite one thread is right, since
SQLite has one writer. On PostgreSQL four threads gave 46 % more throughput than one, at 100 games.
This module is in the lowest app because the sockets of every app use it.

After a restart all sockets return at once, each with about ten queries of its own. `TURNSTILE` lets
a few of them in at a time, and none while the event loop is late; `SharedRead` answers many of them
with one query.
"""

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, nullcontext
from contextvars import Context
from enum import IntEnum
from functools import cache
from typing import Any, Generic, TypeVar

from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.db import DEFAULT_DB_ALIAS, connection, connections

from accounts.broadcast import use_running_loop

T = TypeVar("T")
K = TypeVar("K")

POSTGRES_THREADS = 4
# Most threads that sockets use at once while they connect or disconnect; the rest run games.
TURNS_AT_ONCE = 2
# Most keys that one query of a `SharedRead` answers for sockets that connect. These sockets go on
# to the later stages (`Stage`) before the query of the next ones.
MOST_IN_A_TURN = 16
# A round of the event loop that takes longer than this delays those who play.
LATE_ROUND_S = 0.05
# Longest time that the next sockets wait for a round that is not late.
LONGEST_PAUSE_S = 0.5


@cache
def _executor() -> ThreadPoolExecutor:
    threads = 1 if connection.vendor == "sqlite" else POSTGRES_THREADS
    return ThreadPoolExecutor(threads, thread_name_prefix="database")


async def run_in_db_thread(function: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
    """Run sync database work in the executor and return its result."""
    use_running_loop()
    done: T = await _in_thread()(function, *args, **kwargs)
    return done


@cache
def _in_thread() -> Any:
    """Return the wrapper that runs a call in the executor; made once, since making one is slow."""
    if connection.vendor == "sqlite":
        # Keep the thread's connection: reopening the file costs more than a query.
        return sync_to_async(_call, thread_sensitive=False, executor=_executor())
    return database_sync_to_async(_call, thread_sensitive=False, executor=_executor())


def _call(function: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
    return function(*args, **kwargs)


def own_connection(**options: Any) -> Any:
    """Return a database connection outside the pool, opened at its first query.

    `options` are added to those of the settings.
    """
    pooled = connections[DEFAULT_DB_ALIAS]
    given = dict(pooled.settings_dict["OPTIONS"])
    given.pop("pool", None)
    return type(pooled)({**pooled.settings_dict, "OPTIONS": given | options}, DEFAULT_DB_ALIAS)


class Stage(IntEnum):
    """A use of the database by a socket that connects or disconnects; later stages go first.

    So the sockets that connected first are served completely, while those that still wait have cost
    nothing. If all sockets went through the stages together, all would be late, and pages that gave
    up would connect again. LEAVE goes last: a player who returns before their old connection has
    left was never absent.
    """

    LEAVE = 0
    PAGE = 1  # read the session of the socket of a page
    TABLE = 2  # read the session of the socket of a table
    VIEWPOINT = 3
    JOIN = 4
    CHAT = 5  # read the chat of a table that was joined; its events wait for this


FIRST_STAGES = (Stage.PAGE, Stage.TABLE)


async def _until_in_time() -> None:
    """Wait while the rounds of the event loop take long, for `LONGEST_PAUSE_S` at most."""
    loop = asyncio.get_running_loop()
    begun = before = loop.time()
    while True:
        await asyncio.sleep(0)  # a round
        now = loop.time()
        if now - before < LATE_ROUND_S or now - begun > LONGEST_PAUSE_S:
            return
        before = now


class Turnstile:
    """Gives turns to sockets that connect or disconnect, at most `most` at once."""

    def __init__(self, most: int = TURNS_AT_ONCE) -> None:
        self._free = most
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []  # a heap
        self._numbers = itertools.count()

    @asynccontextmanager
    async def turn(self, stage: Stage) -> AsyncIterator[None]:
        """Wait for a turn and hold it; a socket's first turn also waits for the event loop.

        The first turn waits while the rounds of the loop take long. Hold a turn only for work of
        the database: a channel layer that is down takes long to fail.
        """
        if stage in FIRST_STAGES:
            await _until_in_time()
        await self._enter(stage)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, stage: Stage) -> None:
        if self._free:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (-stage, next(self._numbers), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():  # the turn came just before the cancellation
                self._leave()
            raise

    def _leave(self) -> None:
        while self._waiting:
            turn = heapq.heappop(self._waiting)[-1]
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


TURNSTILE = Turnstile()


class SharedRead(Generic[K, T]):
    """Reads values by key for many callers.

    A request starts a query if none is running; requests during a query share the next one. With
    `most`, a query answers at most that number of keys, those asked for first. With a `stage`, each
    query takes a turn of `TURNSTILE`.
    """

    def __init__(
        self,
        read: Callable[[set[K]], dict[K, T]],
        stage: Stage | None = None,
        most: int | None = None,
    ) -> None:
        self._read_each = read
        self._stage = stage
        self._most = most
        self._waiting: dict[K, asyncio.Future[T]] = {}
        self._task: asyncio.Task[None] | None = None

    async def read(self, key: K) -> T:
        """Return the value from a query that has not begun yet; raise KeyError if it finds none."""
        answer = self._waiting.get(key)
        if answer is None:
            answer = self._waiting[key] = asyncio.get_running_loop().create_future()
        if self._task is None or self._task.done():
            # In an empty context: its log lines are not about the match of the first request.
            self._task = asyncio.create_task(self._answer_all(), context=Context())
        return await asyncio.shield(answer)  # a client that leaves cancels nothing

    async def _answer_all(self) -> None:
        try:
            while self._waiting:
                async with nullcontext() if self._stage is None else TURNSTILE.turn(self._stage):
                    await self._answer_some()
        except asyncio.CancelledError:
            for answer in self._waiting.values():
                answer.cancel()
            self._waiting.clear()
            raise

    async def _answer_some(self) -> None:
        wanted = list(itertools.islice(self._waiting, self._most))
        answers = {key: self._waiting.pop(key) for key in wanted}
        try:
            found = await run_in_db_thread(self._read_each, set(wanted))
        except asyncio.CancelledError:
            for answer in answers.values():
                answer.cancel()
            raise
        except Exception as error:
            for answer in answers.values():
                answer.set_exception(error)
            return
        for key, answer in answers.items():
            if key in found:
                answer.set_result(found[key])
            else:
                answer.set_exception(KeyError(key))
