"""No player's clock runs out during an outage of the site."""

import pytest

from accounts.shared.refusals import Refused
from games.engine.match.permissions import is_paused, on_turn
from games.engine.match.state import MatchCause
from games.engine.rules import Rules
from games.models import Heartbeat
from games.services import heartbeat, seats
from games.services.deadlines import settle_due
from games.services.outages import Outage
from tests.games.factories import Sitting, StakeSitting, assert_log_folds
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db

HOUR_MS = 3_600_000


@pytest.fixture
def sitting() -> Sitting:
    """Return a match in which the guest's clock runs, just after a heartbeat."""
    sitting = Sitting(Rules.of("short", length=5, delay_ms=10_000)).sit().start_game()
    while on_turn(sitting.state) is not sitting.side:
        sitting.act_simply()
    heartbeat.beat(sitting.now)
    return sitting


def test_no_flag_falls_during_an_outage(sitting: Sitting) -> None:
    sitting.pass_time(HOUR_MS)
    heartbeat.beat(sitting.now, heartbeat.WORKER)
    settle_due(sitting.now)
    assert sitting.state.outcome is None


def test_first_heartbeat_gives_back_the_time_of_the_outage(sitting: Sitting) -> None:
    before = sitting.time_left_ms()
    sitting.pass_time(HOUR_MS)
    heartbeat.beat(sitting.now)
    settle_due(sitting.now)
    assert is_paused(sitting.state)
    assert sitting.time_left_ms() == before
    assert_log_folds(sitting.match)


def test_connection_that_outlived_the_outage_can_play_on(sitting: Sitting) -> None:
    sitting.pass_time(HOUR_MS)
    heartbeat.beat(sitting.now)
    before = sitting.seq
    sitting.act_simply()
    assert sitting.seq > before
    assert not is_paused(sitting.state)


def test_command_before_the_first_heartbeat_costs_no_time(sitting: Sitting) -> None:
    sitting.pass_time(HOUR_MS)
    with pytest.raises(Refused, match="too_fast"):
        sitting.act_simply()
    assert sitting.state.outcome is None
    heartbeat.beat(sitting.now)
    sitting.act_simply()
    assert_log_folds(sitting.match)


def test_leaving_before_the_first_heartbeat_costs_no_time(sitting: Sitting) -> None:
    before = sitting.time_left_ms()
    sitting.pass_time(60_000)
    seats.leave(sitting.public_id, sitting.owner, sitting.now)
    heartbeat.beat(sitting.now)
    assert is_paused(sitting.state)
    assert sitting.time_left_ms() == before
    assert_log_folds(sitting.match)


def test_leaving_pauses_the_clock_also_while_a_heartbeat_is_late_without_an_outage(
    sitting: Sitting,
) -> None:
    other = StakeSitting(player("white6"), player("black6"), now=sitting.now).sit()
    sitting.pass_time(3_000)
    other.now = sitting.now
    other.do("entropy_hash", hash="0" * 64)
    sitting.pass_time(3_000)
    seats.leave(sitting.public_id, sitting.owner, sitting.now)
    heartbeat.beat(sitting.now)
    assert is_paused(sitting.state)
    assert_log_folds(sitting.match)


def test_only_one_web_process_gives_back_the_time_of_an_outage(sitting: Sitting) -> None:
    sitting.pass_time(HOUR_MS)
    heartbeat.beat(sitting.now)
    seq = sitting.seq
    sitting.pass_time(1)
    heartbeat.beat(sitting.now)
    assert sitting.seq == seq
    assert Heartbeat.objects.filter(name=heartbeat.WEB).count() == 1


def test_worker_waits_until_the_time_of_the_outage_is_given_back(
    sitting: Sitting,
) -> None:
    def give_back_late(outage: Outage) -> None:
        settle_due(sitting.now)  # as if the worker saw the heartbeat first
        heartbeat.give_back(outage)

    before = sitting.time_left_ms()
    sitting.pass_time(HOUR_MS)
    heartbeat.beat(sitting.now, pass_on=give_back_late)
    assert sitting.time_left_ms() == before
    assert_log_folds(sitting.match)


def test_flags_fall_even_if_the_time_of_an_outage_is_never_given_back(
    sitting: Sitting,
) -> None:
    sitting.pass_time(HOUR_MS)
    heartbeat.beat(sitting.now, pass_on=lambda outage: None)
    sitting.pass_time(60_000)
    Heartbeat.objects.filter(name=heartbeat.WEB).update(beat_at=sitting.now)
    settle_due(sitting.now)
    assert sitting.state.outcome is not None


def test_slightly_late_heartbeat_is_not_an_outage(sitting: Sitting) -> None:
    sitting.pass_time(4_000)
    heartbeat.beat(sitting.now)
    assert not is_paused(sitting.state)


def test_flag_falls_while_the_site_is_reachable(sitting: Sitting) -> None:
    sitting.pass_time(HOUR_MS)
    Heartbeat.objects.update(beat_at=sitting.now)
    settle_due(sitting.now)
    outcome = sitting.state.outcome
    assert outcome is not None
    assert outcome.cause is MatchCause.FLAG
    assert outcome.winner is sitting.side.other


def test_silent_worker_is_not_an_outage(sitting: Sitting) -> None:
    heartbeat.beat(sitting.now, heartbeat.WORKER)
    sitting.pass_time(8_000)
    Heartbeat.objects.filter(name=heartbeat.WEB).update(beat_at=sitting.now)
    heartbeat.beat(sitting.now, heartbeat.WORKER)
    assert not is_paused(sitting.state)


def test_a_seat_taken_while_the_site_recovers_is_kept(sitting: Sitting) -> None:
    """A page may take its seat before a starting web process has given the time back."""
    begun = sitting.now
    sitting.pass_time(100)
    sitting.sit()
    heartbeat.recover(begun)
    sitting.act_simply()


def test_restart_releases_seats_and_keeps_the_players_time(
    sitting: Sitting,
) -> None:
    before = sitting.time_left_ms()
    sitting.pass_time(HOUR_MS)
    assert heartbeat.recover(sitting.now) == 1
    assert not sitting.match.seats.exclude(holder=None).exists()
    with pytest.raises(Refused, match="passive"):
        sitting.act_simply()
    sitting.sit()
    assert sitting.time_left_ms() == before
    seats.leave(sitting.public_id, sitting.owner, sitting.now)
    assert_log_folds(sitting.match)
