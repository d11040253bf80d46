"""The loop that keeps deadlines: matches' clocks and next games, and the bots' turns.

One loop for `manage.py worker` (any number of processes) and for `manage.py serve`, where it is a
task on the server's own event loop. It sleeps until the next deadline, but never long: other
processes write deadlines too. Nothing is lost when it dies; every due row is found again.
"""

import asyncio
import logging
from collections.abc import Awaitable
from datetime import datetime, timedelta

from django.utils import timezone

from accounts.executor import hop
from config.postman import Postman
from games.services import heartbeat
from games.services.bots import BotDriver
from games.services.due import settle_due

logger = logging.getLogger(__name__)

LONGEST_NAP_S = 0.25
SHORTEST_NAP_S = 0.01
BEAT_EVERY = timedelta(seconds=1)
# After an unexpected error: not so fast that the log fills the disk.
ERROR_PAUSE_S = 1.0


async def run(stop: asyncio.Event, serves: bool = False) -> None:
    """Keep deadlines until `stop` is set. `serves`: this process also is the whole web side."""
    if serves:
        await hop(heartbeat.recover, timezone.now())
    names = [heartbeat.WORKER, heartbeat.WEB] if serves else [heartbeat.WORKER]
    pulse = asyncio.create_task(beat(stop, names))
    driver = BotDriver()
    postman = Postman()
    await driver.start()
    try:
        postman.start()
        while not stop.is_set():
            await nap(stop, await round_of_work(driver))
    finally:
        postman.stop()
        await driver.stop()
        await pulse


async def round_of_work(driver: BotDriver) -> float:
    """Settle and drive what is due now; returns how long to sleep, in seconds."""
    now = timezone.now()
    try:
        deadlines = [await hop(settle_due, now), await driver.drive(now)]
    except Exception:
        logger.exception("a round of the worker failed")
        return ERROR_PAUSE_S
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
