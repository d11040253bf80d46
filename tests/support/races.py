"""Run calls that compete for the same rows, each call in a separate thread."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Thread
from typing import Any

from django.db import connections

from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from tests.support.patience import new_barrier

THREADS = 4
# Time in which the second of two calls reaches the lock that the first one holds.
LOCK_WAIT_S = 0.3


def call_together(*actions: Callable[[], Any]) -> list[Any]:
    """Call the functions in threads that start together; return their results in order."""
    barrier = new_barrier(len(actions))

    def run(action: Callable[[], Any]) -> Any:
        try:
            barrier.wait()
            return action()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))


def at_once(do: Callable[[int], int], threads: int = THREADS) -> list[int]:
    """Call the function with 0, 1, 2 ... in threads that start together; return sorted results."""
    return sorted(call_together(*(partial(do, number) for number in range(threads))))


def one_after_the_other(first: Callable[[], object], second: Callable[[], object]) -> str:
    """Start the second call before the first commits; return the second's refusal code or ""."""
    codes = []

    def do() -> None:
        try:
            second()
        except Refused as refusal:
            codes.append(refusal.code)
        finally:
            connections.close_all()

    other = Thread(target=do)
    with write_transaction():
        first()
        other.start()
        other.join(LOCK_WAIT_S)
    other.join()
    return codes[0] if codes else ""
