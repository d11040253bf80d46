"""The one hop from a socket's event loop to the database.

An executor of our own, in the lowest app because every app's sockets take it: Channels' default
runs all ORM work of a process in one thread. On SQLite one thread is right (it has one writer);
on PostgreSQL four gave 46 % more than one at 100 games.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, TypeVar

from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.db import connection

T = TypeVar("T")

POSTGRES_THREADS = 4


@cache
def _executor() -> ThreadPoolExecutor:
    threads = 1 if connection.vendor == "sqlite" else POSTGRES_THREADS
    return ThreadPoolExecutor(threads, thread_name_prefix="database")


async def hop(function: Callable[..., T], *args: Any, **kwargs: Any) -> T:
    """Run sync database work in the executor and return what it returns."""
    done: T = await _wrapped(function)(*args, **kwargs)
    return done


def _wrapped(function: Callable[..., Any]) -> Any:
    if connection.vendor == "sqlite":
        # The thread keeps its connection: opening the file again costs more than the query.
        return sync_to_async(function, thread_sensitive=False, executor=_executor())
    return database_sync_to_async(function, thread_sensitive=False, executor=_executor())
