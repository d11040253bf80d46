"""Absence, takeover and outages, mostly in training, where a lost connection costs no time."""

from datetime import timedelta
from uuid import uuid4

import pytest

from accounts.shared.refusals import Refused
from games.engine.match.permissions import is_paused, on_turn
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models.actor import Actor
from games.services import commands, deadlines, guests, heartbeat, seats
from tests.accounts.factories import member
from tests.games.factories import START, FriendlySitting, Sitting, assert_log_folds

pytestmark = pytest.mark.django_db

CLOCKED = {"length": 5, "delay_ms": 10_000}


def at_the_guests_turn(**rules: object) -> Sitting:
    sitting = Sitting(Rules.of("short", **{**CLOCKED, **rules})).sit().start_game()
    while on_turn(sitting.state) is not sitting.side:
        sitting.act_simply()
    return sitting


def test_training_clock_pauses_while_its_player_is_away() -> None:
    sitting = at_the_guests_turn()
    sitting.pass_time(4_000)
    before = sitting.time_left_ms()
    seats.leave(sitting.public_id, sitting.owner, sitting.now)
    assert is_paused(sitting.state)
    sitting.pass_time(3_600_000)
    sitting.sit()
    assert not is_paused(sitting.state)
    assert sitting.time_left_ms() == before
    assert_log_folds(sitting.match)


def test_the_wait_for_the_first_game_is_no_absence() -> None:
    sitting = FriendlySitting().sit(Side.BLACK)
    sitting.pass_time(120_000)
    sitting.sit(Side.WHITE).start_game()
    sitting.go(Side.WHITE)
    sitting.pass_time(89_000)
    with pytest.raises(Refused, match="not_absent"):
        sitting.do("claim", side=Side.BLACK)
    sitting.pass_time(1_000)
    sitting.do("claim", side=Side.BLACK)
    assert sitting.match.seats.get(side="white").is_absent


def test_connection_of_a_guest_who_became_a_member_releases_the_seat() -> None:
    sitting = at_the_guests_turn()
    guests.adopt(sitting.guest, member("annika").pk)
    seats.leave(sitting.public_id, sitting.owner, sitting.now)
    assert sitting.match.seats.get(bot="").holder is None
    assert is_paused(sitting.state)


def test_pause_by_the_player_continues_after_a_reconnection() -> None:
    sitting = at_the_guests_turn()
    sitting.do("pause")
    seats.leave(sitting.public_id, sitting.owner, sitting.now)
    sitting.pass_time(5_000)
    sitting.sit()
    assert is_paused(sitting.state)
    sitting.do("resume")
    assert not is_paused(sitting.state)
    seats.leave(sitting.public_id, sitting.owner, sitting.now)
    sitting.sit()
    assert not is_paused(sitting.state)
    assert_log_folds(sitting.match)


def test_clock_runs_on_when_an_older_connection_closes() -> None:
    sitting = at_the_guests_turn()
    old = sitting.owner
    sitting.sit()
    seats.leave(sitting.public_id, old, sitting.now)
    assert not is_paused(sitting.state)


def test_next_command_ends_a_pause() -> None:
    sitting = at_the_guests_turn()
    sitting.do("pause")
    assert is_paused(sitting.state)
    sitting.pass_time(500_000)
    sitting.do("resign_match")
    assert sitting.state.phase is Phase.FINISHED
    assert_log_folds(sitting.match)


def test_pauses_are_limited_when_a_player_leaves_and_returns_repeatedly(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(commands, "MOST_PAUSES", 3)
    sitting = at_the_guests_turn()
    for _ in range(3):
        seats.leave(sitting.public_id, sitting.owner, sitting.now)
        assert is_paused(sitting.state)
        sitting.sit()
    seq = sitting.seq
    seats.leave(sitting.public_id, sitting.owner, sitting.now)
    sitting.sit()
    with pytest.raises(Refused):
        sitting.do("pause")
    assert sitting.seq == seq
    sitting.pass_time(10_000_000)
    assert deadlines.settle(sitting.public_id, sitting.now)
    assert sitting.state.phase is Phase.FINISHED  # the clock ran on
    assert_log_folds(sitting.match)


def test_next_game_waits_for_an_absent_player() -> None:
    sitting = at_the_guests_turn().play_until(Phase.BETWEEN_GAMES)
    seats.leave(sitting.public_id, sitting.owner, sitting.now)
    sitting.match.refresh_from_db()
    assert sitting.match.wake_at is None
    sitting.sit()
    sitting.match.refresh_from_db()
    assert sitting.match.wake_at == sitting.now + timedelta(seconds=20)


def test_outage_time_is_credited_to_a_running_clock() -> None:
    sitting = at_the_guests_turn()
    heartbeat.beat(sitting.now)
    before = sitting.time_left_ms()
    sitting.pass_time(600_000)
    assert heartbeat.recover(sitting.now) == 1
    assert is_paused(sitting.state)
    assert sitting.time_left_ms() == before
    sitting.pass_time(60_000)
    sitting.sit()
    assert sitting.time_left_ms() == before
    assert_log_folds(sitting.match)


def test_outage_adds_no_action_to_a_match_without_a_clock() -> None:
    sitting = Sitting(Rules.of("long")).sit().start_game()
    heartbeat.beat(START)
    sitting.pass_time(600_000)
    seq = sitting.seq
    assert heartbeat.recover(sitting.now) == 0
    assert sitting.seq == seq
    assert sitting.match.seats.filter(holder__isnull=False).count() == 0


def test_first_start_finds_no_outage() -> None:
    assert heartbeat.recover(START) == 0
    assert heartbeat.find_last_beat(heartbeat.WEB) == START


@pytest.mark.parametrize("who", ["nobody", "guest", "member"])
def test_stranger_cannot_take_a_seat(who: str) -> None:
    strangers = {"nobody": Actor(), "guest": Actor(guest=uuid4())}
    stranger = strangers.get(who) or Actor(user_id=member("other5").pk)
    sitting = at_the_guests_turn()
    before = {seat.side: seat.holder for seat in sitting.match.seats.all()}
    with pytest.raises(Refused):
        seats.take(sitting.public_id, stranger, seats.new_holder(), sitting.now)
    assert {seat.side: seat.holder for seat in sitting.match.seats.all()} == before
