"""Run database work of the sockets in threads of our own.

Channels' default runs all ORM work of a process in one thread. On SQLite one thread is right (it
has one writer); on PostgreSQL four gave 46 % more throughput than one at 100 games. This module
is in the lowest app because the sockets of every app use it.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.db import DEFAULT_DB_ALIAS, connection, connections

from accounts.broadcast import use_running_loop

T = TypeVar("T")

POSTGRES_THREADS = 4


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
    """Return a database connection outside the pool, opened at the next query.

    `options` are added to those of the settings.
    """
    pooled = connections[DEFAULT_DB_ALIAS]
    given = dict(pooled.settings_dict["OPTIONS"])
    given.pop("pool", None)
    return type(pooled)({**pooled.settings_dict, "OPTIONS": given | options}, DEFAULT_DB_ALIAS)
