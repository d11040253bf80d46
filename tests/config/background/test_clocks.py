"""Web machines whose clocks differ by seconds write heartbeats by the database's clock.

On SQLite one machine serves, and its clock is also the database's. So a jump of this clock counts
as an outage there.
"""

import logging
import re
import time
from datetime import timedelta
from types import SimpleNamespace

import pytest
import time_machine
from django.db import connection
from django.utils import timezone

from accounts.shared import database_clock
from accounts.shared.database_clock import CLOCK, DatabaseClock
from config.background import pulse
from config.background.pulse import Pulse
from games.services import heartbeat, outages
from games.services.heartbeat import WEB
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.django_db(transaction=True)

# Gap that counts as an outage here: far longer than a stall of the machine that runs the test.
OUTAGE = timedelta(seconds=PATIENCE_S)
# The time by which a machine's clock is ahead; a step of this size looks like an outage.
OFF = 2 * OUTAGE


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    for module in (outages, heartbeat):
        monkeypatch.setattr(module, "OUTAGE", OUTAGE)
    for name in ("MOST_OFF", "EXACT_WITHIN"):
        monkeypatch.setattr(database_clock, name, OUTAGE)
    monkeypatch.setattr(pulse, "LAST_WAIT_S", PATIENCE_S)


def has_own_clock():
    """Return whether the database has a clock other than this machine's."""
    return connection.vendor == "postgresql"


def machine_ahead():
    """Pretend that this process runs on a machine whose clock is ahead of the database's."""
    return time_machine.travel(timezone.now() + OFF)


def wait_for_beat(after=None):
    end = time.monotonic() + PATIENCE_S
    while (found := heartbeat.find_last_beat(WEB)) in (None, after):
        assert time.monotonic() < end
        time.sleep(0.01)
    return found


def test_machines_that_write_heartbeats_in_turn_find_no_outage():
    found, ahead, right = [], DatabaseClock(), DatabaseClock()
    for _ in range(3):
        with machine_ahead():
            heartbeat.beat(ahead.read(), WEB, found.append)
        heartbeat.beat(right.read(), WEB, found.append)
    assert bool(found) is not has_own_clock()


def test_process_ahead_of_the_database_does_not_find_an_outage():
    own = DatabaseClock()
    heartbeat.beat(own.read())
    with machine_ahead():
        assert outages.is_web_out(own.now())
        own.read()
        assert outages.is_web_out(own.now()) is not has_own_clock()


def test_pulse_writes_heartbeats_by_the_clock_of_the_database(monkeypatch):
    monkeypatch.setattr(pulse, "BEAT_EVERY_S", 0.02)
    before = DatabaseClock().read()
    with machine_ahead():
        own = Pulse([WEB], lambda outage: None)
        own.start()
        first = wait_for_beat()
        assert (first - before < OFF) is has_own_clock()
        own.stop()
    assert abs(CLOCK.now() - timezone.now()) < OFF / 2  # the end of the pulse resets CLOCK


def test_clock_that_is_off_is_logged_once(caplog):
    own = DatabaseClock()
    own.read()
    assert not caplog.records
    with machine_ahead():
        for _ in range(3):
            own.read()
    own.read()
    with time_machine.travel(timezone.now() - OUTAGE / 2):
        own.read()
    assert len(caplog.records) == has_own_clock()
    for line in caplog.records:
        assert line.levelno == logging.ERROR
        text = r"this machine's clock is \+(\d+\.\d) s off the database's: set it"
        off_s = float(re.fullmatch(text, line.getMessage())[1])
        assert off_s == pytest.approx(OFF.total_seconds(), abs=OUTAGE.total_seconds() / 2)


def test_reading_during_a_stall_does_not_move_the_clock(monkeypatch):
    own = DatabaseClock()
    own.read()
    moments = iter([timezone.now(), timezone.now() + OUTAGE])
    with monkeypatch.context() as stalled:
        stalled.setattr(database_clock, "timezone", SimpleNamespace(now=lambda: next(moments)))
        own.read()
    assert abs(own.now() - timezone.now()) < OUTAGE / 4
