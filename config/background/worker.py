"""Loops that keep deadlines and do waiting work of matches, bots, reviews and so on.

`manage.py worker` (any number of processes) and `manage.py serve` (a task on the server's own event
loop) run the same code. Each kind of work has its own loop, so that slow or failing work delays no
other kind. A loop sleeps until its alarm, the next deadline it knows of. Alarms are set by the work
itself, which returns its next deadline; by `accounts.shared.deadlines.note`, for rows that this
process writes; and by a poll, one query for all kinds, for rows that other processes write. Only
the database is relied on: after a process dies or a note is lost, the next poll finds the work.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import partial

from django.db import connection

from accounts.notices.services import NOTICES
from accounts.notices.services import settle_due as settle_notices
from accounts.shared import deadlines as noted_deadlines
from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import run_in_db_thread
from config.background import deadlines, lateness
from config.background.mail_thread import MailThread
from config.background.nightly_thread import NightlyThread
from config.background.payment_thread import PaymentThread
from config.background.pulse import pulse_of
from config.background.push_thread import PushThread
from games.bots.driver import BotDriver
from games.reviews.queue import REVIEWS
from games.reviews.worker import ReviewDriver
from games.services import heartbeat
from games.services.deadlines import settle_due
from games.services.next_deadline import BOTS, MATCHES
from games.services.seats import SEATS, empty_silent_seats
from lobby.services.expiry import SEEKS
from lobby.services.expiry import settle_due as settle_seeks
from lobby.services.pairs import SEARCHES
from lobby.services.pairs import settle_due as settle_searches
from lobby.services.wish_matching import settle_due as settle_wishes
from lobby.services.wishing import WISHES
from shop.services.counting import COUNTS
from shop.services.counting import settle_due as settle_counts
from stats.services.counting import SEAT_COUNTS
from stats.services.counting import settle_due as settle_seat_counts
from stats.services.rating import RATINGS, next_try_at, rate_waiting
from stats.services.reviewed import REVIEW_COUNTS
from stats.services.reviewed import settle_due as settle_review_counts
from tournaments.services import work as tournaments_work
from wallet.services.owed import OWED
from wallet.services.owed import settle_due as settle_owed

logger = logging.getLogger(__name__)

# Seconds between two polls: the longest delay of work that another process makes due at once.
POLL_S = 0.25
# The same for the only process of a site: it notes its own rows, and other rows come only from
# management commands.
POLL_ALONE_S = 2.0
# Seconds after which a loop reads the clock again, since the clock may jump; this costs no query.
LONGEST_NAP_S = 2.0
# Shortest nap in seconds, so that a loop whose work is always due lets the others run.
SHORTEST_NAP_S = 0.01
# Seconds to rest after an unexpected error, so that the log does not fill the disk.
ERROR_PAUSE_S = 1.0

Work = Callable[[datetime], Awaitable[datetime | None]]


class Alarm:
    """Hold `at`, the next deadline of one kind of work; None while none is known."""

    def __init__(self, stop: asyncio.Event) -> None:
        self.at: datetime | None = None
        self._stop = stop
        self._is_moved = asyncio.Event()

    def clear(self) -> None:
        self.at = None

    def bring_forward(self, at: datetime | None) -> None:
        """Make `at` the deadline if it is earlier than the current one."""
        if at is not None and (self.at is None or at < self.at):
            self.at = at
            self._is_moved.set()

    def release(self) -> None:
        """End the sleep because the loop stops."""
        self._is_moved.set()

    async def sleep(self, now: Callable[[], datetime] = CLOCK.now) -> None:
        """Sleep until the deadline, which may move meanwhile."""
        await nap(self._stop, SHORTEST_NAP_S)
        while not self._stop.is_set() and (self.at is None or self.at > now()):
            self._is_moved.clear()
            await nap(self._is_moved, nap_length(now(), self.at))


def kinds_of_work(driver: BotDriver, reviewer: ReviewDriver) -> dict[str, Work]:
    """Return the work of each loop by the kind of its deadlines."""
    return {
        MATCHES: lambda now: run_in_db_thread(settle_due, now),
        SEEKS: lambda now: run_in_db_thread(settle_seeks, now),
        SEARCHES: lambda now: run_in_db_thread(settle_searches, now),
        NOTICES: lambda now: run_in_db_thread(settle_notices, now),
        WISHES: lambda now: run_in_db_thread(settle_wishes, now),
        SEATS: lambda now: run_in_db_thread(empty_silent_seats, now),
        BOTS: driver.drive,
        RATINGS: _rate,
        REVIEWS: reviewer.drive,
        SEAT_COUNTS: lambda now: run_in_db_thread(settle_seat_counts, now),
        REVIEW_COUNTS: lambda now: run_in_db_thread(settle_review_counts, now),
        COUNTS: lambda now: run_in_db_thread(settle_counts, now),
        OWED: lambda now: run_in_db_thread(settle_owed, now),
        **{work.kind: partial(run_in_db_thread, work.settle_due) for work in tournaments_work.ALL},
    }


async def _rate(now: datetime) -> datetime | None:
    """Rate one batch; return `now` if it had rows, so that the loop goes on at once."""
    return now if await run_in_db_thread(rate_waiting, now) else next_try_at(now)


def _recover(after_beat: Callable[[], None], is_alone: bool) -> None:
    heartbeat.recover(CLOCK.read(), after_beat, may_others_serve=not is_alone)


async def run(
    stop: asyncio.Event, serves: bool = False, when_recovered: Callable[[], None] = lambda: None
) -> None:
    """Keep deadlines until `stop` is set; `serves` means that this process also serves the web.

    `when_recovered` is called before any loop starts, after an outage was given back.
    """
    loop = asyncio.get_running_loop()
    pulse = pulse_of([heartbeat.WORKER, heartbeat.WEB] if serves else [heartbeat.WORKER], loop)
    # A site on PostgreSQL may have any number of processes.
    is_alone = serves and connection.vendor == "sqlite"
    if serves:
        await run_in_db_thread(_recover, pulse.start, is_alone)
    else:
        await run_in_db_thread(CLOCK.read)
        pulse.start()
    when_recovered()
    poll_s = POLL_ALONE_S if is_alone else POLL_S
    driver = BotDriver()
    reviewer = ReviewDriver()
    threads = (MailThread(poll_s), PushThread(poll_s), PaymentThread(poll_s), NightlyThread())
    kinds = kinds_of_work(driver, reviewer)
    alarms = {kind: Alarm(stop) for kind in kinds}
    listener = partial(_note_deadline, loop, alarms)
    await driver.start()
    noted_deadlines.listen(listener)
    try:
        for thread in threads:
            thread.start()
        await asyncio.gather(
            poll(alarms, poll_s, stop),
            _release(alarms, stop),
            *(keep_at(kind, work, alarms[kind], stop) for kind, work in kinds.items()),
        )
    finally:
        stop.set()
        noted_deadlines.stop_listening(listener)
        for thread in threads:
            thread.stop()
        await driver.stop()
        await reviewer.stop()
        pulse.stop()


async def keep_at(kind: str, work: Work, alarm: Alarm, stop: asyncio.Event) -> None:
    """Do one kind of work now and at each alarm; after an error wait, then try again."""
    while not stop.is_set():
        # Clear the alarm before the work, since a deadline that is noted while the work runs may be
        # of a row that the work has not read.
        alarm.clear()
        try:
            due = await work(CLOCK.now())
        except Exception:
            logger.exception("%s failed", kind)
            lateness.FAILED.labels(kind).inc()
            await nap(stop, ERROR_PAUSE_S)
            continue
        alarm.bring_forward(due)
        await alarm.sleep()
        lateness.note(kind, alarm.at, CLOCK.now())


async def poll(alarms: Mapping[str, Alarm], every_s: float, stop: asyncio.Event) -> None:
    """Set alarms by the deadlines in the database, which other processes write too."""
    while not stop.is_set():
        await nap(stop, every_s)
        try:
            for kind, at in (await run_in_db_thread(deadlines.read)).items():
                alarms[kind].bring_forward(at)
        except Exception:
            logger.exception("deadlines not read")
            await nap(stop, ERROR_PAUSE_S)


def _note_deadline(
    loop: asyncio.AbstractEventLoop, alarms: Mapping[str, Alarm], kind: str, due_at: datetime
) -> None:
    """Pass a note to its alarm; called in the thread that committed.

    The kinds of slow work have no alarm: their threads listen for notes themselves.
    """
    if kind in alarms:
        loop.call_soon_threadsafe(alarms[kind].bring_forward, due_at)


async def _release(alarms: Mapping[str, Alarm], stop: asyncio.Event) -> None:
    await stop.wait()
    for alarm in alarms.values():
        alarm.release()


def nap_length(now: datetime, deadline: datetime | None) -> float:
    """Return the seconds until the deadline, within the bounds of a nap."""
    wait = LONGEST_NAP_S if deadline is None else (deadline - now).total_seconds()
    return max(SHORTEST_NAP_S, min(LONGEST_NAP_S, wait))


async def nap(event: asyncio.Event, seconds: float) -> None:
    """Sleep; wake at once if the event is set."""
    with suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)
