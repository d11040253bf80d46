"""Slots for folding logs, so that readers cannot keep a process from serving the tables.

Folding the log of a long match takes seconds, in the interpreter that also answers every socket.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponse

from accounts.shared import rate_limits
from accounts.shared.rate_limits import View
from accounts.shared.refusals import Refused

# Requests that may do costly work at one time in this process: fold a log, draw a picture, export
# personal data.
SLOTS = 2
# Requests that may wait for a slot, and for how many seconds.
MOST_WAITING = 8
WAIT_S = 5.0


class NoSlot(Refused):
    """There is no slot for this request.

    `action` is the limit that the visitor's address has used up, None if all slots are taken.
    `seconds`, after which the visitor may try again, is used only if `action` is None.
    """

    def __init__(self, action: str | None = None, seconds: float = 0) -> None:
        super().__init__("too_many", action=action, seconds=seconds)
        self.action = action
        self.seconds = seconds


class Slots:
    """Let at most `count` requests work at a time, and at most `waiting` others wait for a slot."""

    def __init__(self, count: int, waiting: int) -> None:
        self._free = threading.BoundedSemaphore(count)
        self._admitted = threading.BoundedSemaphore(count + waiting)

    @contextmanager
    def one(self, wait_s: float) -> Iterator[None]:
        """Hold a slot; raise NoSlot if none is free within `wait_s` or too many wait."""
        if not self._admitted.acquire(blocking=False):
            raise NoSlot(seconds=wait_s)
        try:
            if not self._free.acquire(timeout=wait_s):
                raise NoSlot(seconds=wait_s)
            try:
                yield
            finally:
                self._free.release()
        finally:
            self._admitted.release()


_slots = Slots(SLOTS, MOST_WAITING)


@contextmanager
def fold_slot(request: HttpRequest) -> Iterator[None]:
    """Hold one of the process's slots to fold a log; raise NoSlot as `slot` does.

    Raise NoSlot too if the visitor's address has used up its limit of folds, which is lower than
    that of pages: folding costs more than reading a stored form.
    """
    if not rate_limits.allow_reading(request, "match_folds"):
        raise NoSlot("match_folds")
    with slot():
        yield


@contextmanager
def slot() -> Iterator[None]:
    """Hold one of the process's slots; raise NoSlot if none is free in time or too many wait."""
    if not connection.in_atomic_block:
        # A request that waits must not occupy a connection of the pool.
        connection.close()
    with _slots.one(WAIT_S):
        yield


def limited(view: View) -> View:
    """Limit a view's requests by the visitor's address; answer NoSlot with status 429."""

    @rate_limits.limited("match_pages")
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except NoSlot as refused:
            return rate_limits.refuse_reading(request, refused.action, refused.seconds)

    return answer
