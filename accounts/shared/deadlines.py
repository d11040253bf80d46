"""Deadlines that this process writes, passed on to the worker's loop of the same process.

The database is the truth: the loop also polls it, and so finds the deadlines of other processes
and those whose note was lost. This module only saves the wait for the next poll. It is in the
lowest app because every app that has deadlines writes them.
"""

from collections.abc import Callable
from datetime import datetime
from functools import partial

from django.db import transaction

Listener = Callable[[str, datetime], None]

_listeners: list[Listener] = []


def note(kind: str, due_at: datetime | None) -> None:
    """Notify the worker's loop after the commit that a row of this kind is due at `due_at`.

    None means that nothing is due. A row that became due later than before needs no note: the loop
    looks, finds nothing, and sleeps until the next deadline.
    """
    if due_at is not None:
        transaction.on_commit(partial(_pass_on, kind, due_at), robust=True)


def listen(listener: Listener) -> None:
    """Call `listener` with each note from now on, in the thread of its commit."""
    _listeners.append(listener)


def stop_listening(listener: Listener) -> None:
    _listeners.remove(listener)


def _pass_on(kind: str, due_at: datetime) -> None:
    for listener in tuple(_listeners):
        listener(kind, due_at)
