"""The loop of deadlines: naps, errors, heartbeats, a clean end."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from config import worker
from games.services import heartbeat
from tests.patience import PATIENCE_S

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Driver:
    """A bot driver that remembers what was asked of it."""

    def __init__(self):
        self.calls = []

    async def start(self):
        self.calls.append("start")

    async def drive(self, now):
        self.calls.append("drive")

    async def stop(self):
        self.calls.append("stop")


@pytest.fixture
def driver(monkeypatch):
    driver = Driver()
    monkeypatch.setattr(worker, "BotDriver", lambda: driver)
    return driver


@pytest.fixture(autouse=True)
def idle(monkeypatch):
    """Work that is not looked at here finds nothing to do; the database is left out."""
    for name in ("settle_due", "settle_seeks", "empty_silent_seats", "rate_waiting"):
        monkeypatch.setattr(worker, name, lambda now: None)
    monkeypatch.setattr(worker, "ReviewDriver", Driver)


@pytest.fixture
def beats(monkeypatch):
    """Names signed by the loop; the database is left out."""
    names = []
    monkeypatch.setattr(heartbeat, "beat", lambda now, name=heartbeat.WEB: names.append(name))
    monkeypatch.setattr(heartbeat, "recover", lambda now: names.append("recover"))
    return names


def test_nap_ends_at_the_deadline():
    soon = NOW + timedelta(milliseconds=50)
    assert worker.nap_length(NOW, soon) == pytest.approx(0.05)


def test_nap_is_never_long_because_other_processes_write_deadlines_too():
    assert worker.nap_length(NOW, NOW + timedelta(hours=1)) == worker.LONGEST_NAP_S
    assert worker.nap_length(NOW, None) == worker.LONGEST_NAP_S


def test_overdue_deadline_does_not_make_the_loop_spin():
    assert worker.nap_length(NOW, NOW - timedelta(hours=1)) == worker.SHORTEST_NAP_S


@pytest.mark.asyncio
async def test_loop_settles_until_it_is_told_to_stop_and_ends_its_bots(monkeypatch, driver, beats):
    stop = asyncio.Event()
    rounds = []

    def settle(now):
        rounds.append(now)
        if len(rounds) == 3:
            loop.call_soon_threadsafe(stop.set)

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(worker, "settle_due", settle)
    await asyncio.wait_for(worker.run(stop), PATIENCE_S)
    assert len(rounds) == 3
    assert driver.calls[0] == "start"
    assert driver.calls[-1] == "stop"
    assert set(beats) == {heartbeat.WORKER}


@pytest.mark.asyncio
async def test_serving_loop_first_gives_back_the_outage_and_signs_for_the_web(
    monkeypatch, driver, beats
):
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    monkeypatch.setattr(
        worker, "settle_due", lambda now: loop.call_soon_threadsafe(stop.set) and None
    )
    await asyncio.wait_for(worker.run(stop, serves=True), PATIENCE_S)
    assert beats[0] == "recover"
    assert {heartbeat.WORKER, heartbeat.WEB} <= set(beats)


@pytest.mark.asyncio
async def test_failed_round_is_logged_and_the_loop_goes_on(monkeypatch, driver, beats, caplog):
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    rounds = []

    def settle(now):
        rounds.append(now)
        if len(rounds) == 1:
            raise OSError("the database is away")
        loop.call_soon_threadsafe(stop.set)

    monkeypatch.setattr(worker, "settle_due", settle)
    monkeypatch.setattr(worker, "ERROR_PAUSE_S", 0.01)
    await asyncio.wait_for(worker.run(stop), PATIENCE_S)
    assert len(rounds) == 2
    assert "the database is away" in caplog.text


@pytest.mark.asyncio
@pytest.mark.parametrize("failing", ["settle_due", "settle_seeks", "empty_silent_seats"])
async def test_work_that_fails_rests_while_the_other_work_goes_on(
    monkeypatch, driver, beats, caplog, failing
):
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    failed, rated = [], []

    def fail(now):
        failed.append(now)
        raise OSError("the database is away")

    def rate(now):
        rated.append(now)
        if len(rated) == 3:
            loop.call_soon_threadsafe(stop.set)

    monkeypatch.setattr(worker, failing, fail)
    monkeypatch.setattr(worker, "rate_waiting", rate)
    monkeypatch.setattr(worker, "ERROR_PAUSE_S", 2 * PATIENCE_S)
    await asyncio.wait_for(worker.run(stop), PATIENCE_S)
    assert (len(failed), len(rated)) == (1, 3)
    assert "drive" in driver.calls
    assert "the database is away" in caplog.text


@pytest.mark.asyncio
async def test_work_that_hangs_keeps_no_other_work_from_its_time(monkeypatch, driver, beats):
    stop, free = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    settled = []

    async def hang(now):
        await free.wait()

    def settle(now):
        settled.append(now)
        if len(settled) == 5:
            loop.call_soon_threadsafe(stop.set)
            loop.call_soon_threadsafe(free.set)

    monkeypatch.setattr(driver, "drive", hang)
    monkeypatch.setattr(worker, "settle_due", settle)
    monkeypatch.setattr(worker, "LONGEST_NAP_S", 0.01)
    await asyncio.wait_for(worker.run(stop), PATIENCE_S)
    assert len(settled) >= 5


@pytest.mark.asyncio
async def test_failed_heartbeat_does_not_end_the_loop(monkeypatch, driver, caplog):
    stop = asyncio.Event()

    def beat(now, name):
        raise OSError("no disk")

    monkeypatch.setattr(heartbeat, "beat", beat)
    pulse = asyncio.create_task(worker.beat(stop, [heartbeat.WORKER]))
    while "no disk" not in caplog.text:
        await asyncio.sleep(0)
    stop.set()
    await asyncio.wait_for(pulse, PATIENCE_S)
