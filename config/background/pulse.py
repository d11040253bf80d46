"""Write the heartbeats where neither a busy event loop nor an exhausted pool can delay them.

A late heartbeat counts as an outage of the whole site, so it may depend only on the process being
alive. It has its own thread and a database connection outside the pool.
"""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from datetime import datetime

from django.db import DEFAULT_DB_ALIAS, connections

from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import own_connection, run_in_db_thread
from config.sockets.drain import DRAIN
from games.services import heartbeat
from games.services.outages import Outage

logger = logging.getLogger(__name__)

BEAT_EVERY_S = 1.0
# Seconds that the end of the process waits for the write in progress.
LAST_WAIT_S = 1.0


class Pulse:
    """Write the heartbeats `names` each second until stopped, by the database's clock.

    One statement reads that clock, which all machines share, and one writes; if another process has
    written one of the names since the last beat, each name is read and written by itself. An outage
    that this process ends goes to `pass_on`, which must not block: the heartbeat goes on while the
    matches get their time back.
    """

    def __init__(self, names: Sequence[str], pass_on: Callable[[Outage], None]) -> None:
        self._names = names
        self._pass_on = pass_on
        self._stop = threading.Event()
        self._last: datetime | None = None
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(LAST_WAIT_S)

    def _run(self) -> None:
        leave_the_pool()
        while not self._stop.is_set():
            try:
                self._beat(CLOCK.read())
            except Exception:
                logger.exception("heartbeat failed")
                connections[DEFAULT_DB_ALIAS].close()
            self._stop.wait(BEAT_EVERY_S)
        connections[DEFAULT_DB_ALIAS].close()
        CLOCK.forget()

    def _beat(self, now: datetime) -> None:
        """Write the heartbeats, that of the web only while this process accepts connections.

        While it accepts none, the time counts as an outage, unless another process writes the web's
        heartbeat.
        """
        names = [name for name in self._names if name != heartbeat.WEB or not DRAIN.is_closed]
        if self._last is None or not heartbeat.beat_again(now, names, self._last):
            for name in names:
                heartbeat.beat(now, name, self._pass_on)
        self._last = now


def leave_the_pool() -> None:
    """Give this thread a database connection of its own, opened at the next query."""
    connections[DEFAULT_DB_ALIAS] = own_connection()


def pulse_of(names: Sequence[str], loop: asyncio.AbstractEventLoop) -> Pulse:
    """Return the pulse of a process, whose event `loop` gives matches the time of outages back."""

    def pass_on(outage: Outage) -> None:
        asyncio.run_coroutine_threadsafe(_give_back(outage), loop)

    return Pulse(names, pass_on)


async def _give_back(outage: Outage) -> None:
    try:
        await run_in_db_thread(heartbeat.give_back, outage)
    except Exception:
        logger.exception("outage not given back")
