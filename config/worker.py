"""The loop that keeps deadlines: of matches, announcements, absences; and bots, ratings, reviews.

The same for `manage.py worker` (any number of processes) and for `manage.py serve`, where it is a
task on the server's own event loop. Each kind of work has a loop of its own, so that what is slow
or fails keeps nothing else from its time. A loop sleeps until the next deadline, but never long:
other processes write deadlines too. Nothing is lost when it dies; every due row is found again.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from django.utils import timezone

from accounts.shared.database_threads import hop
from config.postman import Postman
from games.bots.driver import BotDriver
from games.reviews.worker import ReviewDriver
from games.services import heartbeat
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


def kinds_of_work(driver: BotDriver, reviewer: ReviewDriver) -> dict[str, Work]:
    """What each loop does, by a name for the log. It may return when it is to be done again."""
    return {
        "deadlines of matches": lambda now: hop(settle_due, now),
        "deadlines of announcements": lambda now: hop(settle_seeks, now),
        "silent seats": lambda now: hop(empty_silent_seats, now),
        "bots": driver.drive,
        "ratings": lambda now: hop(rate_waiting, now),
        "reviews": reviewer.drive,
    }


async def run(stop: asyncio.Event, serves: bool = False) -> None:
    """Keep deadlines until `stop` is set. `serves`: this process also is the whole web side."""
    if serves:
        await hop(heartbeat.recover, timezone.now())
    names = [heartbeat.WORKER, heartbeat.WEB] if serves else [heartbeat.WORKER]
    pulse = asyncio.create_task(beat(stop, names))
    driver = BotDriver()
    reviewer = ReviewDriver()
    postman = Postman()
    await driver.start()
    try:
        postman.start()
        kinds = kinds_of_work(driver, reviewer)
        await asyncio.gather(*(keep_at(name, work, stop) for name, work in kinds.items()))
    finally:
        stop.set()  # also when we are canceled: the pulse would beat on for ever
        postman.stop()
        await driver.stop()
        await reviewer.stop()
        await pulse


async def keep_at(name: str, work: Work, stop: asyncio.Event) -> None:
    """Do one kind of work whenever something is due; after an error it rests for a while."""
    while not stop.is_set():
        try:
            due = await work(timezone.now())
        except Exception:
            logger.exception("%s failed", name)
            await nap(stop, ERROR_PAUSE_S)
            continue
        deadline = due if isinstance(due, datetime) else None
        await nap(stop, nap_length(timezone.now(), deadline))


def nap_length(now: datetime, deadline: datetime | None) -> float:
    """Seconds until the deadline, within the bounds of a nap."""
    wait = LONGEST_NAP_S if deadline is None else (deadline - now).total_seconds()
    return max(SHORTEST_NAP_S, min(LONGEST_NAP_S, wait))


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
