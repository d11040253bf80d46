"""Turns at folding logs, so that readers cannot keep a process from serving the tables.

A fold of a long match is seconds of work in the interpreter that also answers every socket.
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

# Folds at one time in this process.
TURNS = 2
# Requests that may wait for a turn, and for how many seconds.
MOST_WAITING = 8
WAIT_S = 5.0


class TooMany(Refused):
    """No turn for this request: the limit `action` is used up, or `seconds` to wait."""

    def __init__(self, action: str | None = None, seconds: float = 0) -> None:
        super().__init__("too_many", action=action, seconds=seconds)
        self.action = action
        self.seconds = seconds


class Turns:
    """At most `count` holders at a time, and at most `waiting` that wait for a turn."""

    def __init__(self, count: int, waiting: int) -> None:
        self._free = threading.BoundedSemaphore(count)
        self._places = threading.BoundedSemaphore(count + waiting)

    @contextmanager
    def one(self, wait_s: float) -> Iterator[None]:
        """Hold a turn; raise TooMany if there is none within `wait_s` or no place to wait."""
        if not self._places.acquire(blocking=False):
            raise TooMany(seconds=wait_s)
        try:
            if not self._free.acquire(timeout=wait_s):
                raise TooMany(seconds=wait_s)
            try:
                yield
            finally:
                self._free.release()
        finally:
            self._places.release()


_turns = Turns(TURNS, MOST_WAITING)


@contextmanager
def turn(request: HttpRequest) -> Iterator[None]:
    """Hold one of the process's turns to fold a log; raise TooMany.

    The visitor's address is counted too: a match that was never folded costs more than a stored
    one.
    """
    if not rate_limits.allow_reading(request, "match_folds"):
        raise TooMany("match_folds")
    with held():
        yield


@contextmanager
def held() -> Iterator[None]:
    """Hold one of the process's turns; raise TooMany."""
    if not connection.in_atomic_block:
        # The pool is for those who work, not for those who wait.
        connection.close()
    with _turns.one(WAIT_S):
        yield


def limited(view: View) -> View:
    """Count each request of a view for the visitor's address; answer TooMany with status 429."""

    @rate_limits.limited("match_pages")
    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except TooMany as refused:
            return rate_limits.refuse_reading(request, refused.action, refused.seconds)

    return answer
