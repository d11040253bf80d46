"""The loops of deadlines: alarms, errors, heartbeats, a clean end."""

import asyncio
import time
from datetime import UTC, datetime, timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from accounts.shared import deadlines as noted_deadlines
from accounts.shared.database_clock import CLOCK
from accounts.shared.database_threads import run_in_db_thread
from config.background import deadlines, worker
from games.services import heartbeat
from games.services.next_deadline import MATCHES
from tests.support.patience import PATIENCE_S

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Driver:
    """A bot driver that records its calls."""

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
    """Let loops other than that of bots have nothing to do, and the poll find nothing."""
    settling = [name for name in vars(worker) if name.startswith("settle_")]
    for name in (*settling, "empty_silent_seats", "rate_waiting"):
        monkeypatch.setattr(worker, name, lambda now: None)
    monkeypatch.setattr(worker.tournaments_work, "ALL", ())
    monkeypatch.setattr(worker, "ReviewDriver", Driver)
    monkeypatch.setattr(deadlines, "read", dict)


@pytest.fixture
def beats(monkeypatch):
    """Return the names of the heartbeats sent, with "recover" for a recovery; use no database."""
    names = []
    monkeypatch.setattr(heartbeat, "beat", lambda now, name, pass_on: names.append(name))
    monkeypatch.setattr(heartbeat, "beat_again", lambda now, again, last: not names.extend(again))

    def recover(now, after_beat, may_others_serve):
        names.append("recover")
        after_beat()

    monkeypatch.setattr(heartbeat, "recover", recover)
    return names


def wait_for(beats, *names):
    """Block the thread that does the work until another thread has sent these heartbeats."""
    end = time.monotonic() + PATIENCE_S
    while not set(names) <= set(beats):
        assert time.monotonic() < end
        time.sleep(0.01)


def test_nap_ends_at_the_deadline():
    soon = NOW + timedelta(milliseconds=50)
    assert worker.nap_length(NOW, soon) == pytest.approx(0.05)


def test_nap_is_short_because_the_clock_may_jump():
    assert worker.nap_length(NOW, NOW + timedelta(hours=1)) == worker.LONGEST_NAP_S
    assert worker.nap_length(NOW, None) == worker.LONGEST_NAP_S


def test_overdue_deadline_does_not_make_the_loop_spin():
    assert worker.nap_length(NOW, NOW - timedelta(hours=1)) == worker.SHORTEST_NAP_S


@pytest.mark.asyncio
async def test_loop_settles_deadlines_until_stopped_and_ends_its_bots(monkeypatch, driver, beats):
    stop = asyncio.Event()
    rounds = []

    def settle(now):
        rounds.append(now)
        if len(rounds) == 3:
            wait_for(beats, heartbeat.WORKER)
            loop.call_soon_threadsafe(stop.set)
        return now

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(worker, "settle_due", settle)
    await asyncio.wait_for(worker.run(stop), PATIENCE_S)
    assert len(rounds) == 3
    assert driver.calls[0] == "start"
    assert driver.calls[-1] == "stop"
    assert set(beats) == {heartbeat.WORKER}


@pytest.mark.asyncio
async def test_serving_loop_gives_back_outage_time_first_and_sends_web_heartbeats(
    monkeypatch, driver, beats
):
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def settle(now):
        wait_for(beats, heartbeat.WORKER, heartbeat.WEB)
        loop.call_soon_threadsafe(stop.set)

    monkeypatch.setattr(worker, "settle_due", settle)
    await asyncio.wait_for(worker.run(stop, serves=True), PATIENCE_S)
    assert beats[0] == "recover"
    assert {heartbeat.WORKER, heartbeat.WEB} <= set(beats)


@pytest.mark.asyncio
async def test_failed_round_is_logged_and_the_loop_continues(monkeypatch, driver, beats, caplog):
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
async def test_work_that_fails_waits_while_the_other_work_goes_on(
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
        return 1

    monkeypatch.setattr(worker, failing, fail)
    monkeypatch.setattr(worker, "rate_waiting", rate)
    monkeypatch.setattr(worker, "ERROR_PAUSE_S", 2 * PATIENCE_S)
    await asyncio.wait_for(worker.run(stop), PATIENCE_S)
    assert (len(failed), len(rated)) == (1, 3)
    assert "drive" in driver.calls
    assert "the database is away" in caplog.text


@pytest.mark.asyncio
async def test_hanging_work_does_not_delay_other_work(monkeypatch, driver, beats):
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
        return now

    monkeypatch.setattr(driver, "drive", hang)
    monkeypatch.setattr(worker, "settle_due", settle)
    await asyncio.wait_for(worker.run(stop), PATIENCE_S)
    assert len(settled) >= 5


@pytest.mark.asyncio
@pytest.mark.parametrize("off", [timedelta(seconds=10), timedelta(seconds=-10)])
async def test_worker_with_a_wrong_clock_follows_the_database_clock(
    monkeypatch, driver, beats, off
):
    """Otherwise flags would fall early by a clock that is ahead, and late by one that is behind."""
    stop, given = asyncio.Event(), []
    loop = asyncio.get_running_loop()

    def settle(now):
        given.append(now)
        if len(given) == 2:
            loop.call_soon_threadsafe(stop.set)
        return now + timedelta(milliseconds=50)

    def behind_or_ahead():
        monkeypatch.setattr(CLOCK, "_ahead", -off)
        return timezone.now()

    monkeypatch.setattr(CLOCK, "read", behind_or_ahead)
    monkeypatch.setattr(worker, "settle_due", settle)
    before = timezone.now() - off
    await asyncio.wait_for(worker.run(stop), PATIENCE_S)
    assert before <= given[0] < given[1] <= timezone.now() - off


class Rounds:
    """Run the worker; count its polls and its rounds of `MATCHES`."""

    def __init__(self, monkeypatch):
        self.of_matches = self.polls = 0
        self.found = {}
        self.stop = asyncio.Event()
        monkeypatch.setattr(worker, "POLL_S", 0.01)
        monkeypatch.setattr(worker, "settle_due", self._settle)
        monkeypatch.setattr(deadlines, "read", self._read)

    def _settle(self, now):
        self.of_matches += 1

    def _read(self):
        self.polls += 1
        return self.found

    async def until(self, condition):
        async with asyncio.timeout(PATIENCE_S):
            while not condition():
                await asyncio.sleep(0.001)

    async def poll_again(self, times=3):
        seen = self.polls
        await self.until(lambda: self.polls >= seen + times)

    async def __aenter__(self):
        self._task = asyncio.create_task(worker.run(self.stop))
        await self.until(lambda: self.of_matches == 1)
        await self.poll_again()
        return self

    async def __aexit__(self, *_):
        self.stop.set()
        await asyncio.wait_for(self._task, PATIENCE_S)


@pytest.mark.asyncio
async def test_idle_loops_do_nothing_but_poll(monkeypatch, driver, beats, caplog):
    async with Rounds(monkeypatch) as rounds:
        await rounds.poll_again(20)
        assert rounds.of_matches == 1
        assert driver.calls == ["start", "drive"]
    assert not [each for each in caplog.records if each.name == worker.__name__]


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
async def test_deadline_of_this_process_wakes_its_loop_and_no_other(monkeypatch, driver, beats):
    async with Rounds(monkeypatch) as rounds:
        await run_in_db_thread(noted_deadlines.note, MATCHES, timezone.now())
        await rounds.until(lambda: rounds.of_matches == 2)
        await rounds.poll_again()
        assert rounds.of_matches == 2
        assert driver.calls == ["start", "drive"]


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
async def test_deadline_of_a_failed_transaction_wakes_no_loop(monkeypatch, driver, beats):
    def fail():
        with transaction.atomic():
            noted_deadlines.note(MATCHES, timezone.now())
            raise OSError

    async with Rounds(monkeypatch) as rounds:
        with pytest.raises(OSError):
            await run_in_db_thread(fail)
        await rounds.poll_again()
        assert rounds.of_matches == 1


@pytest.mark.asyncio
async def test_deadline_of_another_process_is_found_by_the_poll(monkeypatch, driver, beats):
    async with Rounds(monkeypatch) as rounds:
        rounds.found = {MATCHES: timezone.now()}
        await rounds.until(lambda: rounds.of_matches >= 2)
        assert driver.calls == ["start", "drive"]


@pytest.mark.asyncio
async def test_failed_poll_is_logged_and_the_next_follows(monkeypatch, driver, beats, caplog):
    def fail():
        raise OSError("the database is away")

    monkeypatch.setattr(worker, "ERROR_PAUSE_S", 0.01)
    async with Rounds(monkeypatch) as rounds:
        read = deadlines.read
        monkeypatch.setattr(deadlines, "read", fail)
        await rounds.until(lambda: "the database is away" in caplog.text)
        monkeypatch.setattr(deadlines, "read", read)
        await rounds.poll_again()


@pytest.mark.asyncio
async def test_deadline_noted_during_the_work_is_not_missed():
    """The note is newer than the rows that the work has read."""
    stop, rounds = asyncio.Event(), []
    alarm = worker.Alarm(stop)

    async def work(now):
        rounds.append(now)
        if len(rounds) == 1:
            alarm.bring_forward(now)
        else:
            stop.set()

    await asyncio.wait_for(worker.keep_at("work", work, alarm, stop), PATIENCE_S)
    assert len(rounds) == 2


def test_alarm_keeps_the_earliest_moment():
    alarm = worker.Alarm(asyncio.Event())
    for minutes in (5, 3, 4):
        alarm.bring_forward(NOW + timedelta(minutes=minutes))
    alarm.bring_forward(None)
    assert alarm.at == NOW + timedelta(minutes=3)


@pytest.mark.asyncio
async def test_alarm_rings_by_the_clock():
    """The clock reaches the moment only when it is read for the fifth time."""
    clock = iter([NOW - timedelta(milliseconds=20)] * 4 + [NOW])
    alarm = worker.Alarm(asyncio.Event())
    alarm.bring_forward(NOW)
    await asyncio.wait_for(alarm.sleep(lambda: next(clock)), PATIENCE_S)
    assert next(clock, None) is None
