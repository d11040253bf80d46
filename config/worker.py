"""The loop that keeps deadlines: of matches, announcements and absences, bots' turns, ratings.

One loop for `manage.py worker` (any number of processes) and for `manage.py serve`, where it is a
task on the server's own event loop. It sleeps until the next deadline, but never long: other
processes write deadlines too. Nothing is lost when it dies; every due row is found again.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from django.utils import timezone

from accounts.executor import hop
from config.postman import Postman
from games.services import heartbeat
from games.services.bots import BotDriver
from games.services.due import settle_due
from games.services.presence import empty_silent_seats
from lobby.services.seeks import settle_due as settle_seeks
from stats.services.rating import rate_waiting

logger = logging.getLogger(__name__)

LONGEST_NAP_S = 0.25
SHORTEST_NAP_S = 0.01
BEAT_EVERY = timedelta(seconds=1)
# After an unexpected error: not so fast that the log fills the disk.
ERROR_PAUSE_S = 1.0

Work = Callable[[datetime], Awaitable[object]]


class Chore:
    """One kind of work; when it fails, it rests for a while and the others go on."""

    def __init__(self, name: str, work: Work) -> None:
        self.name = name
        self._work = work
        self._rests_until: datetime | None = None

    async def do(self, now: datetime) -> datetime | None:
        """Do what is due; returns when to come back at the latest, None when it does not care."""
        if self._rests_until is not None and now < self._rests_until:
            return self._rests_until
        self._rests_until = None
        try:
            due = await self._work(now)
        except Exception:
            logger.exception("%s failed", self.name)
            self._rests_until = now + timedelta(seconds=ERROR_PAUSE_S)
            return self._rests_until
        return due if isinstance(due, datetime) else None


def chores(driver: BotDriver) -> list[Chore]:
    """All kinds of work, in the order of each round."""
    return [
        Chore("deadlines of matches", lambda now: hop(settle_due, now)),
        Chore("deadlines of announcements", lambda now: hop(settle_seeks, now)),
        Chore("bots", driver.drive),
        Chore("silent seats", lambda now: hop(empty_silent_seats, now)),
        Chore("ratings", lambda now: hop(rate_waiting, now)),
    ]


async def run(stop: asyncio.Event, serves: bool = False) -> None:
    """Keep deadlines until `stop` is set. `serves`: this process also is the whole web side."""
    if serves:
        await hop(heartbeat.recover, timezone.now())
    names = [heartbeat.WORKER, heartbeat.WEB] if serves else [heartbeat.WORKER]
    pulse = asyncio.create_task(beat(stop, names))
    driver = BotDriver()
    postman = Postman()
    work = chores(driver)
    await driver.start()
    try:
        postman.start()
        while not stop.is_set():
            await nap(stop, await round_of_work(work))
    finally:
        postman.stop()
        await driver.stop()
        await pulse


async def round_of_work(work: list[Chore]) -> float:
    """Do what is due now; returns how long to sleep, in seconds."""
    deadlines = [await chore.do(timezone.now()) for chore in work]
    return nap_length(timezone.now(), deadlines)


def nap_length(now: datetime, deadlines: list[datetime | None]) -> float:
    """Seconds until the first deadline, within the bounds of a nap."""
    waits = [(deadline - now).total_seconds() for deadline in deadlines if deadline is not None]
    return max(SHORTEST_NAP_S, min([LONGEST_NAP_S, *waits]))


async def nap(stop: asyncio.Event, seconds: float) -> None:
    """Sleep, but wake at once when it is time to stop."""
    await _quiet(asyncio.wait_for(stop.wait(), seconds))


async def beat(stop: asyncio.Event, names: list[str]) -> None:
    """Sign the rows that say that we are alive. Apart from the work, which may take longer."""
    while not stop.is_set():
        try:
            for name in names:
                await hop(heartbeat.beat, timezone.now(), name)
        except Exception:
            logger.exception("heartbeat failed")
        await nap(stop, BEAT_EVERY.total_seconds())


async def _quiet(sleep: Awaitable[object]) -> None:
    try:
        await sleep
    except TimeoutError:
        return
