"""No player's clock runs out during an outage of the site."""

from datetime import timedelta

import pytest

from accounts.shared.refusals import Refused
from games.engine.match.permissions import is_paused, on_turn
from games.engine.match.state import MatchCause
from games.engine.rules import Rules
from games.models import Heartbeat
from games.services import heartbeat, outages, seats
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


def write_heartbeat(sitting: Sitting) -> None:
    Heartbeat.objects.filter(name=heartbeat.WEB).update(beat_at=sitting.now)


def stake_beside(sitting: Sitting) -> StakeSitting:
    """Return a match for credits that begins at the present moment of another match."""
    return StakeSitting(player("white6"), player("black6"), now=sitting.now).sit().start_game()


def newest_verb(sitting: Sitting) -> str:
    return sitting.match.actions.get(seq=sitting.seq).verb


def act_of_guest(sitting: Sitting) -> None:
    """Play until the guest has acted."""
    while on_turn(sitting.state) is not sitting.side:
        sitting.act_simply()
    sitting.act_simply()


def test_match_is_owed_nothing_after_a_credit_for_an_outage_that_a_command_cut_short(
    sitting: Sitting,
) -> None:
    stake = stake_beside(sitting)
    other = StakeSitting(player("white7"), player("black7"), now=stake.now).sit()
    stake.pass_time(30_000)
    other.now = stake.now
    other.do("entropy_hash", hash="0" * 64)
    stake.pass_time(800)
    heartbeat.beat(stake.now)
    assert newest_verb(stake) == "credit"
    assert not outages.is_time_owed(stake.match, stake.now)
    stake.pass_time(6_000)
    write_heartbeat(stake)
    stake.act_simply()


def test_flag_waits_for_the_credit_even_if_players_have_reached_the_site_for_a_minute(
    sitting: Sitting,
) -> None:
    stake = stake_beside(sitting)
    other = Sitting(Rules.of("short", length=5)).sit().start_game()
    stake.pass_time(240_000)
    for _ in range(16):
        other.now = stake.now
        act_of_guest(other)
        stake.pass_time(4_000)

    def give_back_late(outage: Outage) -> None:
        settle_due(stake.now)
        heartbeat.give_back(outage)

    heartbeat.beat(stake.now, pass_on=give_back_late)
    assert newest_verb(stake) == "credit"
    assert stake.state.outcome is None


def test_match_is_owed_nothing_after_a_command_that_waited_until_its_credit(
    sitting: Sitting,
) -> None:
    stake = stake_beside(sitting)
    came_at = stake.now + timedelta(seconds=2)
    stake.pass_time(30_000)
    heartbeat.beat(stake.now)
    ended_at, stake.now = stake.now, came_at
    stake.act_simply()
    stake.now = ended_at + timedelta(seconds=6)
    write_heartbeat(stake)
    assert not outages.is_time_owed(stake.match, stake.now)
    stake.act_simply()


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
