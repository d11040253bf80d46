"""Deadlines are settled once, and a broken match does not stop the others."""

import logging
from datetime import datetime, timedelta

import pytest
from django.db import OperationalError

from accounts.shared.transactions import write_transaction
from games.bots import driver
from games.engine.match.permissions import is_paused, on_turn
from games.engine.match.state import MatchCause, Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match
from games.services import deadlines, heartbeat
from games.services.transaction import MatchTransaction
from tests.games.factories import START, Sitting, StakeSitting, assert_log_folds, stake_on_move
from tests.wallet.factories import player

pytestmark = [pytest.mark.django_db, pytest.mark.both]

CLOCKED = Rules.of("short", length=5, delay_ms=10_000)


def clocked_at_the_guests_turn() -> Sitting:
    sitting = Sitting(CLOCKED).sit().start_game()
    while on_turn(sitting.state) is not sitting.side:
        sitting.act_simply()
    return sitting


def waiting_for_the_bot() -> Sitting:
    sitting = Sitting(Rules.of("short", length=5)).sit().start_game()
    while not Match.objects.get(pk=sitting.match.pk).awaits_bot:
        sitting.act_simply()
    return sitting


def damage(sitting: Sitting, wake_at: object) -> None:
    """Make the snapshot unreadable and the match due at this time."""
    snapshot = {**sitting.match.snapshot, "v": 99}
    Match.objects.filter(pk=sitting.match.pk).update(snapshot=snapshot, wake_at=wake_at)


def test_next_game_does_not_start_during_a_pause(
    caplog: pytest.LogCaptureFixture,
) -> None:
    sitting = Sitting(CLOCKED).sit().start_game().play_until(Phase.BETWEEN_GAMES)
    sitting.do("pause")
    sitting.pass_time(60_000)
    with caplog.at_level(logging.ERROR):
        assert deadlines.settle_due(sitting.now) is None
    assert caplog.records == []
    assert sitting.state.phase is Phase.BETWEEN_GAMES
    sitting.do("resume")
    sitting.pass_time(20_000)
    deadlines.settle_due(sitting.now)
    assert sitting.state.game == 2
    assert not is_paused(sitting.state)
    assert_log_folds(sitting.match)


def test_flag_falls_once_in_repeated_settlements() -> None:
    sitting = clocked_at_the_guests_turn()
    sitting.pass_time(3_600_000)
    for _ in range(3):
        deadlines.settle_due(sitting.now)
    outcome = sitting.state.outcome
    assert outcome is not None
    assert outcome.cause is MatchCause.FLAG
    assert sitting.match.actions.filter(verb="flag").count() == 1
    assert_log_folds(sitting.match)


def test_match_that_fails_to_settle_is_postponed(
    caplog: pytest.LogCaptureFixture,
) -> None:
    broken = clocked_at_the_guests_turn()
    sound = clocked_at_the_guests_turn()
    damage(broken, wake_at=broken.now)
    sound.pass_time(3_600_000)
    deadlines.settle_due(sound.now)
    assert sound.state.phase is Phase.FINISHED
    caplog.clear()
    deadlines.settle_due(sound.now)
    assert caplog.records == []


def test_match_that_fails_to_settle_keeps_a_deadline_that_was_moved_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sitting = clocked_at_the_guests_turn()
    sitting.pass_time(3_600_000)
    moved_to = sitting.now + timedelta(seconds=5)

    def fail(public_id: str, now: datetime) -> bool:
        """Move the deadline, as another worker would, and fail."""
        Match.objects.filter(public_id=public_id).update(wake_at=moved_to)
        raise OperationalError("deadlock detected")

    monkeypatch.setattr(deadlines, "settle", fail)
    deadlines.settle_due(sitting.now)
    assert wake_of(sitting) == moved_to


@pytest.mark.parametrize("is_locked", [False, True])
def test_full_batch_is_followed_at_once_unless_others_have_locked_all_of_it(
    monkeypatch: pytest.MonkeyPatch, is_locked: bool
) -> None:
    sitting = clocked_at_the_guests_turn()
    sitting.pass_time(3_600_000)
    monkeypatch.setattr(deadlines, "BATCH", 1)
    monkeypatch.setattr(deadlines, "settle", lambda *_: not is_locked)
    next_at = sitting.now + deadlines.RETRY_LOCKED_AFTER if is_locked else sitting.now
    assert deadlines.settle_due(sitting.now) == next_at


def test_matches_that_may_not_be_settled_yet_do_not_hold_up_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(deadlines, "BATCH", 2)
    excused = [StakeSitting(player(f"w{n}"), player(f"b{n}"), now=START) for n in range(2)]
    for seconds in (1, 29):
        heartbeat.beat(START + timedelta(seconds=seconds))
    other = clocked_at_the_guests_turn()
    at = START + timedelta(seconds=33)
    Match.objects.filter(pk=other.match.pk).update(wake_at=at)
    deadlines.settle_due(at)
    again_at = deadlines.settle_due(at)
    assert wake_of(other) > at
    assert again_at == at + deadlines.RETRY_UNSETTLED_AFTER
    assert {sitting.state.phase for sitting in excused} == {Phase.SEATING}


def test_unreadable_match_does_not_stop_bots_of_other_matches() -> None:
    broken, sound = waiting_for_the_bot(), waiting_for_the_bot()
    damage(broken, wake_at=broken.now - timedelta(hours=1))
    sound.pass_time(60_000)
    assert [turn.public_id for turn in driver.lease_due(sound.now)] == [sound.public_id]
    assert driver.lease_due(sound.now) == []


def test_unreadable_match_does_not_stop_the_site_from_starting() -> None:
    broken = clocked_at_the_guests_turn()
    sound = clocked_at_the_guests_turn()
    damage(broken, wake_at=broken.now)
    heartbeat.beat(sound.now)
    sound.pass_time(600_000)
    assert heartbeat.recover(sound.now) == 1
    assert is_paused(sound.state)


def test_one_deadline_starts_one_game() -> None:
    sitting = Sitting(CLOCKED, side=Side.BLACK).sit().start_game().play_until(Phase.BETWEEN_GAMES)
    sitting.pass_time(20_000)
    for _ in range(3):
        deadlines.settle_due(sitting.now)
    assert sitting.state.game == 2
    assert sitting.match.games.count() == 2
    assert_log_folds(sitting.match)


def wake_of(sitting: Sitting) -> datetime:
    sitting.match.refresh_from_db()
    assert sitting.match.wake_at is not None
    return sitting.match.wake_at


def exact_wake_of(sitting: StakeSitting) -> datetime:
    """Recompute the next deadline of the match, as the worker does, and return it."""
    with write_transaction():
        MatchTransaction.lock(sitting.public_id, sitting.now).reschedule()
    return wake_of(sitting)


def test_turns_leave_wake_at_unchanged_until_it_is_near() -> None:
    sitting, _, _ = stake_on_move()
    kept_at = exact_wake_of(sitting)
    for _ in range(6):
        sitting.pass_time(1000)
        sitting.act_simply()
        assert wake_of(sitting) == kept_at
    sitting.pass_time((kept_at - sitting.now) // timedelta(milliseconds=1) - 9_000)
    sitting.act_simply()
    assert wake_of(sitting) > kept_at
    assert_log_folds(sitting.match)


def test_match_woken_too_early_goes_on_until_its_flag_is_due() -> None:
    sitting, _, _ = stake_on_move()
    kept_at = exact_wake_of(sitting)
    sitting.pass_time(5000)
    sitting.act_simply()
    deadlines.settle_due(kept_at)
    flag_at = wake_of(sitting)
    assert flag_at > kept_at
    assert sitting.state.phase is not Phase.FINISHED
    deadlines.settle_due(flag_at - timedelta(milliseconds=1))
    assert sitting.state.phase is not Phase.FINISHED
    deadlines.settle_due(flag_at)
    outcome = sitting.state.outcome
    assert outcome is not None
    assert outcome.cause is MatchCause.FLAG


def test_earlier_deadline_replaces_wake_at() -> None:
    sitting, _, _ = stake_on_move()
    later = exact_wake_of(sitting) + timedelta(hours=1)
    Match.objects.filter(pk=sitting.match.pk).update(wake_at=later)
    sitting.act_simply()
    assert wake_of(sitting) == exact_wake_of(sitting) < later


def test_end_of_a_game_replaces_wake_at() -> None:
    sitting, _, _ = stake_on_move()
    soon = sitting.now + timedelta(seconds=15)
    Match.objects.filter(pk=sitting.match.pk).update(wake_at=soon)
    sitting.act_simply()
    assert wake_of(sitting) == soon
    sitting.play_until(Phase.BETWEEN_GAMES)
    assert wake_of(sitting) == sitting.now + timedelta(seconds=20)
