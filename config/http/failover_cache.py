"""The cache in Redis; in the memory of each process while Redis cannot be reached or written.

The cache counts attempts, such as sign-ins. Without the fallback every page would fail while Redis
is down; a fallback that counts nothing would let anyone try passwords without limit.
"""

import logging
import time
from collections.abc import Callable
from typing import Any, ClassVar

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import (
    ConnectionError,
    MasterDownError,
    OutOfMemoryError,
    ReadOnlyError,
    ResponseError,
    TimeoutError,
)

logger = logging.getLogger(__name__)

# Seconds until Redis is tried again.
RETRY_AFTER_S = 1.0
# Longest wait for a connection or an answer, in seconds.
TIMEOUTS = {"socket_connect_timeout": 1, "socket_timeout": 1}
# A full cache in memory drops entries, including counters of limits; Django's default is 300.
LOCAL_ENTRIES = 20_000
UNREACHED = (ConnectionError, TimeoutError)
# Redis still answers reads, but its memory is full, or it is a replica.
UNWRITABLE = (OutOfMemoryError, ReadOnlyError, MasterDownError)
# Beginnings of errors without a class in redis-py: Redis could not save its snapshot, or has too
# few replicas.
UNWRITABLE_CODES = ("MISCONF", "NOREPLICAS")
# While Redis refuses writes, these methods still try Redis; all others use the process's memory at
# once, since the newest values are there.
PROBES = ("add", "set", "set_many")
METHODS = (
    "add", "get", "set", "touch", "delete", "has_key", "incr", "get_many", "set_many",
    "delete_many", "clear",
)  # fmt: skip


class FailoverCache(RedisCache):
    """Takes the arguments of RedisCache. Nothing is copied when Redis is lost or comes back."""

    # Shared by all threads of the process: Django makes a cache for each thread.
    _down_until: ClassVar[float] = 0.0
    _refuses_writes: ClassVar[bool] = False

    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        options = TIMEOUTS | params.get("OPTIONS", {})
        super().__init__(server, params | {"OPTIONS": options})
        self._local = LocMemCache("failover", {"OPTIONS": {"MAX_ENTRIES": LOCAL_ENTRIES}})

    def _call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        is_tried = not FailoverCache._refuses_writes or name in PROBES
        if is_tried and time.monotonic() >= FailoverCache._down_until:
            try:
                found = getattr(super(), name)(*args, **kwargs)
            except (*UNREACHED, ResponseError) as error:
                is_unwritable = _is_unwritable(error)
                if isinstance(error, ResponseError) and not is_unwritable:
                    raise
                FailoverCache._refuses_writes = is_unwritable
                logger.warning("Redis cannot be used, the cache is in memory: %s", error)
                FailoverCache._down_until = time.monotonic() + RETRY_AFTER_S
            else:
                FailoverCache._refuses_writes = False
                return found
        return getattr(self._local, name)(*args, **kwargs)


def _is_unwritable(error: Exception) -> bool:
    return isinstance(error, UNWRITABLE) or str(error).startswith(UNWRITABLE_CODES)


def _failing_over(name: str) -> Callable[..., Any]:
    def method(self: FailoverCache, *args: Any, **kwargs: Any) -> Any:
        return self._call(name, *args, **kwargs)

    return method


for _name in METHODS:
    setattr(FailoverCache, _name, _failing_over(_name))
