"""The heartbeat goes on while the process is busy: a late one would count as an outage."""

import asyncio
import threading
import time
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async
from channels.db import database_sync_to_async
from django.conf import settings as site_settings
from django.db import connection
from django.utils import timezone

from accounts.shared import database_threads
from accounts.shared.database_threads import run_in_db_thread
from config.background import pulse
from config.background.pulse import Pulse
from config.management.commands.serve import beat_task
from config.sockets.drain import DRAIN
from games.models import Heartbeat
from games.services import heartbeat, outages
from games.services.heartbeat import WEB
from tests.support.patience import PATIENCE_S

# Number of threads that hold a connection each, if the database has no pool to exhaust.
READERS = 4


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(pulse, "BEAT_EVERY_S", 0.02)
    monkeypatch.setattr(pulse, "LAST_WAIT_S", PATIENCE_S)


@pytest.fixture
def busy():
    """Return an event that ends all the work which a test has begun."""
    event = threading.Event()
    yield event
    event.set()


async def beats(times):
    """Wait until the web process has written this many heartbeats."""
    find = database_sync_to_async(heartbeat.find_last_beat, thread_sensitive=False)
    seen = set()
    async with asyncio.timeout(PATIENCE_S):
        while len(seen) < times:
            seen.add(await find(WEB))
            await asyncio.sleep(0.01)


async def serving(until):
    """Send heartbeats as `serve --no-worker` does, until the awaitable is done."""
    stop = asyncio.Event()
    task = asyncio.create_task(beat_task(stop))
    try:
        await until
    finally:
        stop.set()
        await asyncio.wait_for(task, PATIENCE_S)


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
async def test_readers_that_keep_the_database_threads_busy_do_not_stop_the_heartbeat(busy):
    threads = database_threads._executor()._max_workers
    work = [asyncio.ensure_future(run_in_db_thread(busy.wait, PATIENCE_S)) for _ in range(threads)]
    await serving(beats(3))
    assert not any(each.done() for each in work)
    busy.set()
    await asyncio.gather(*work)


def is_exhausted(holding):
    """Return whether no connection is left; other threads too may hold connections of the pool."""
    if "pool" not in site_settings.DATABASES["default"]["OPTIONS"]:
        return len(holding) == READERS
    stats = connection.pool.get_stats()
    return stats["pool_size"] == stats["pool_max"] and not stats["pool_available"]


@pytest.mark.django_db(transaction=True)
def test_readers_that_hold_every_connection_of_the_pool_do_not_stop_the_heartbeat(busy):
    holding = []

    def hold():
        connection.ensure_connection()
        holding.append(True)
        busy.wait()  # no timeout, after which a pulse that waits for the pool could go on
        connection.close()

    connection.ensure_connection()
    pool = site_settings.DATABASES["default"]["OPTIONS"].get("pool", {"max_size": READERS})
    holders = [threading.Thread(target=hold) for _ in range(pool["max_size"])]
    for each in holders:
        each.start()
    deadline = time.monotonic() + PATIENCE_S
    while not is_exhausted(holding) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert is_exhausted(holding)
    own = Pulse([WEB], lambda outage: None)
    own.start()
    seen, until = set(), time.monotonic() + PATIENCE_S
    while len(seen) < 3 and time.monotonic() < until:
        seen.add(heartbeat.find_last_beat(WEB))
        time.sleep(0.01)
    own.stop()
    busy.set()
    for each in holders:
        each.join()
    assert len(seen) == 3


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
async def test_giving_back_the_time_of_an_outage_is_not_the_next_outage(monkeypatch, busy):
    """Giving time back to many matches takes longer than the gap that counts as an outage."""
    begun = []

    def give_back(outage):
        begun.append(outage)
        busy.wait(PATIENCE_S)

    monkeypatch.setattr(heartbeat, "give_back", give_back)
    longest_stall = timedelta(seconds=PATIENCE_S)  # of the machine that runs the test
    for module in (outages, heartbeat):
        monkeypatch.setattr(module, "OUTAGE", longest_stall)
    before = timezone.now() - 2 * longest_stall
    await sync_to_async(Heartbeat.objects.create)(name=WEB, beat_at=before)

    async def until():
        async with asyncio.timeout(PATIENCE_S):
            while not begun:
                await asyncio.sleep(0.01)
        await beats(3)
        busy.set()

    await serving(until())
    assert [outage.began_at for outage in begun] == [before]


@pytest.mark.django_db(transaction=True)
def test_a_process_that_refuses_connections_writes_no_heartbeat_of_the_web(monkeypatch):
    monkeypatch.setattr(DRAIN, "is_closed", True)
    own = Pulse([heartbeat.WORKER, WEB], lambda outage: None)
    own.start()
    until = time.monotonic() + PATIENCE_S
    while heartbeat.find_last_beat(heartbeat.WORKER) is None and time.monotonic() < until:
        time.sleep(0.01)
    own.stop()
    assert heartbeat.find_last_beat(heartbeat.WORKER) is not None
    assert heartbeat.find_last_beat(WEB) is None


@pytest.mark.django_db(transaction=True)
def test_failed_heartbeat_does_not_end_the_pulse(monkeypatch, caplog):
    written = threading.Event()

    def beat(now, name, pass_on):
        if not caplog.records:
            raise OSError("no disk")
        written.set()

    monkeypatch.setattr(heartbeat, "beat", beat)
    own = Pulse([WEB], lambda outage: None)
    own.start()
    assert written.wait(PATIENCE_S)
    own.stop()
    assert "no disk" in caplog.text
