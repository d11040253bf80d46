"""Transactions of the writing services.

SQLite lets one transaction write at a time. The others poll until it ends; with five writers the
longest wait was 1.7 s. So on SQLite the writers of a process, views and sockets alike, queue here.
PostgreSQL needs no queue. The lowest app holds this because every app writes.

Lock order everywhere: members by id, then Tournament, then Match, then its Seats by id, then
Fixture, then searches for an opponent by id, then announced games by id, then wallet accounts by
id. Requests to support are locked by id, after their sender and beside no other row, except when an
account is closed. A case of fair play is locked before wallet accounts, beside no other row.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import connection, transaction

_GATE = threading.RLock()


@contextmanager
def write_transaction() -> Iterator[None]:
    """Open an atomic block, one at a time on SQLite. Announce changes through `on_commit`."""
    if connection.vendor != "sqlite":
        with transaction.atomic():
            yield
        return
    with _GATE, transaction.atomic():
        yield


def announce_after_commit(announce: Callable[[], object]) -> None:
    """Call `announce` after the commit; log its error, which must not fail a stored change.

    When a robust hook fails, Django logs its `__qualname__`. A `functools.partial` has none, so the
    hook is a function around `announce`.
    """

    def call() -> None:
        announce()

    transaction.on_commit(call, robust=True)
