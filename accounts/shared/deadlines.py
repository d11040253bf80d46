"""Notify the worker's loop of the deadlines that its own process writes.

The database is the truth: the loop also polls it, and so finds the deadlines of other processes
and those whose note was lost. This module only saves the wait for the next poll. It is in the
lowest app because every app that has deadlines writes them.

`Retries` isolates rows that fail to be settled.
"""

import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from accounts.shared.transactions import announce_after_commit

Listener = Callable[[str, datetime], None]

_listeners: list[Listener] = []

# The wait after the first failure of a row, doubled by each further one up to the longest.
FIRST_WAIT, LONGEST_WAIT = timedelta(seconds=1), timedelta(minutes=1)
# Most failing rows that are remembered, since a query lists their ids. Beyond that number the rows
# whose next try is nearest are forgotten, and so tried at once.
MOST_FAILING = 500


def note(kind: str, due_at: datetime | None) -> None:
    """Notify the worker's loop after the commit that a row of this kind is due at `due_at`.

    None means that nothing is due. A row that became due later than before needs no note: the loop
    looks, finds nothing, and sleeps until the next deadline.
    """
    if due_at is not None:
        announce_after_commit(partial(_pass_on, kind, due_at))


def listen(listener: Listener) -> None:
    """Call `listener` with each note from now on, in the thread of its commit."""
    _listeners.append(listener)


def stop_listening(listener: Listener) -> None:
    _listeners.remove(listener)


def _pass_on(kind: str, due_at: datetime) -> None:
    for listener in tuple(_listeners):
        listener(kind, due_at)


@dataclass(frozen=True, slots=True)
class _Failure:
    again_at: datetime
    wait: timedelta


class Retries:
    """Settle rows one by one; a row that fails waits before the next try, longer each time.

    A failing row stops no other and is logged once. The failures are kept in memory: each process
    has its own, and after a restart all rows are tried at once.
    """

    def __init__(self, logger: logging.Logger, event: str, field: str) -> None:
        """Log `event` with the row's id in `field`."""
        self._logger = logger
        self._event = event
        self._field = field
        self._failures: dict[int, _Failure] = {}

    def settle(
        self, row_ids: Collection[int], settle_row: Callable[[int], object], now: datetime
    ) -> None:
        for row_id in row_ids:
            try:
                settle_row(row_id)
            except Exception:
                if row_id not in self._failures:
                    self._logger.exception(self._event, extra={self._field: row_id})
                self._postpone(row_id, now)
            else:
                self._failures.pop(row_id, None)

    def resting(self, now: datetime) -> list[int]:
        """Return the ids of rows that are not to be tried yet."""
        # If a row was not tried for long after its wait, another process settled or deleted it.
        self._failures = {
            row_id: failure
            for row_id, failure in self._failures.items()
            if failure.again_at > now - 2 * LONGEST_WAIT
        }
        return [row_id for row_id, failure in self._failures.items() if failure.again_at > now]

    def next_at(self, following: datetime | None, now: datetime) -> datetime | None:
        """Return the earlier of `following` and the next try; None if there is neither."""
        tries = [failure.again_at for failure in self._failures.values() if failure.again_at > now]
        return min([*tries, *([following] if following else [])], default=None)

    def _postpone(self, row_id: int, now: datetime) -> None:
        last = self._failures.get(row_id)
        wait = min(2 * last.wait, LONGEST_WAIT) if last else FIRST_WAIT
        self._failures[row_id] = _Failure(now + wait, wait)
        if len(self._failures) > MOST_FAILING:
            del self._failures[min(self._failures, key=lambda id: self._failures[id].again_at)]
