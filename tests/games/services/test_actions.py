"""A command is done once, or refused without any change."""

import threading
from uuid import uuid4

import pytest
from django.db import connection

from accounts.shared.refusals import Refused
from games.engine.errors import Reason
from games.engine.match.permissions import on_turn
from games.engine.match.state import Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Action
from games.models.action import LogIsAppendOnly
from games.models.actor import Actor
from games.services import deadlines, seats
from tests.games.factories import Sitting, assert_log_folds, command, some_play
from tests.support.patience import new_barrier

pytestmark = pytest.mark.django_db


def running(**rules: object) -> Sitting:
    """Return a match in which the guest is to roll or to play."""
    sitting = Sitting(Rules.of("short", **{"length": 3, **rules})).sit().start_game()
    while on_turn(sitting.state) is not sitting.side:
        sitting.act_simply()
    return sitting


def before_roll(**rules: object) -> Sitting:
    sitting = running(**rules)
    for _ in range(200):
        state = sitting.state
        if state.phase is Phase.TO_ROLL and state.turn is sitting.side:
            return sitting
        sitting.act_simply()
    raise AssertionError("the guest never came to roll")


def refused(sitting: Sitting, t: str, **fields: object) -> Refused:
    """Submit a command; check that it is refused and changes nothing; return the refusal."""
    sitting.match.refresh_from_db()
    seq, snapshot = sitting.match.seq, sitting.match.snapshot
    with pytest.raises(Refused) as caught:
        sitting.do(t, **fields)
    sitting.match.refresh_from_db()
    assert (sitting.match.seq, sitting.match.snapshot) == (seq, snapshot)
    assert_log_folds(sitting.match)
    return caught.value


def test_roll_is_logged_and_answered_with_its_seq() -> None:
    sitting = before_roll()
    done = sitting.do("roll")
    row = Action.objects.get(match=sitting.match, seq=done.seq)
    assert (row.verb, row.side) == ("roll", "white")
    assert_log_folds(sitting.match)


def test_repeated_command_is_done_once_and_answered_twice() -> None:
    sitting = before_roll()
    roll = command("roll", sitting.seq)
    first = sitting.submit(sitting.owner, roll)
    again = sitting.submit(sitting.owner, roll)
    assert again.seq == first.seq
    assert Action.objects.filter(match=sitting.match, client_id=roll.id).count() == 1


def test_command_id_of_the_other_side_is_refused() -> None:
    sitting = before_roll()
    roll = command("roll", sitting.seq)
    sitting.submit(sitting.owner, roll)
    with pytest.raises(Refused, match="unreadable"):
        sitting.submit(Actor.bot(Side.BLACK), command("roll", sitting.seq, roll.id))


def test_refused_command_can_be_sent_again_with_its_id() -> None:
    sitting = before_roll()
    id = uuid4()
    with pytest.raises(Refused):
        sitting.submit(sitting.owner, command("roll", sitting.seq - 1, id))
    sitting.submit(sitting.owner, command("roll", sitting.seq, id))
    assert Action.objects.filter(match=sitting.match, client_id=id).count() == 1


def test_stale_command_is_refused() -> None:
    sitting = before_roll()
    with pytest.raises(Refused, match="stale"):
        sitting.submit(sitting.owner, command("roll", sitting.seq - 1))


def test_stranger_is_refused() -> None:
    sitting = before_roll()
    with pytest.raises(Refused, match="not_seated"):
        sitting.submit(Actor(guest=uuid4()), command("roll", sitting.seq))


def test_visitor_without_identity_is_refused() -> None:
    sitting = before_roll()
    with pytest.raises(Refused, match="not_seated"):
        sitting.submit(Actor(), command("roll", sitting.seq))


def test_connection_that_lost_the_seat_is_refused() -> None:
    sitting = before_roll()
    old = sitting.owner
    sitting.sit()
    with pytest.raises(Refused, match="passive"):
        sitting.submit(old, command("roll", sitting.seq))


@pytest.mark.parametrize("t", ["roll", "double", "pause", "leave", "resign_match"])
def test_command_is_refused_while_no_connection_holds_the_seat(t: str) -> None:
    sitting = before_roll(cube=True)
    seats.leave(sitting.public_id, sitting.owner, sitting.now)
    sitting.owner = Actor(guest=sitting.guest)
    assert refused(sitting, t).code == "passive"


def test_unknown_match_is_refused() -> None:
    sitting = before_roll()
    sitting.match.public_id = "nosuchmatch1"
    with pytest.raises(Refused, match="not_found"):
        sitting.submit(sitting.owner, command("roll", 1))


def test_roll_is_refused_off_turn() -> None:
    sitting = running()
    while sitting.state.turn is sitting.side:
        sitting.act_simply()
    assert refused(sitting, "roll").code in ("not_your_turn", "wrong_phase")


def test_play_is_refused_before_the_roll() -> None:
    assert refused(before_roll(), "play", d="24/23").code == "wrong_phase"


def test_illegal_play_is_refused_with_rule_and_point() -> None:
    sitting = before_roll()
    sitting.do("roll")
    while sitting.state.turn is not sitting.side or sitting.state.phase is not Phase.TO_PLAY:
        sitting.act_simply()
    refusal = refused(sitting, "play", d="2/1 2/1")
    assert refusal.code == "illegal"
    assert refusal.details["reason"] in (Reason.POINT_EMPTY, Reason.NOT_YOUR_CHECKER)
    assert refusal.details["points"] == [2]


def test_unreadable_play_is_refused_as_unreadable() -> None:
    sitting = before_roll()
    sitting.do("roll")
    while sitting.state.turn is not sitting.side or sitting.state.phase is not Phase.TO_PLAY:
        sitting.act_simply()
    assert refused(sitting, "play", d="what / ever").code == "unreadable"


def test_play_is_logged_in_canonical_notation() -> None:
    sitting = before_roll()
    while sitting.state.turn is not sitting.side or sitting.state.phase is not Phase.TO_PLAY:
        sitting.act_simply()
    text = some_play(sitting.state)
    done = sitting.do("play", d=text.replace("*", "").upper())
    assert Action.objects.get(match=sitting.match, seq=done.seq).data["text"] == text


def test_double_is_refused_without_a_cube() -> None:
    refusal = refused(before_roll(cube=False), "double")
    assert (refusal.code, refusal.details["reason"]) == ("illegal", Reason.CUBE_OFF)


def test_command_is_refused_after_the_end() -> None:
    sitting = before_roll()
    sitting.do("resign_match")
    assert sitting.state.phase is Phase.FINISHED
    assert refused(sitting, "roll").code == "finished"


def test_command_after_the_time_ran_out_is_refused_and_loses_the_match() -> None:
    sitting = before_roll(delay_ms=10_000)
    sitting.pass_time(10_000 + 3 * 60_000)
    with pytest.raises(Refused, match="out_of_time"):
        sitting.do("roll")
    match = sitting.match
    match.refresh_from_db()
    assert (match.outcome, match.winner) == ("flag", "black")
    assert_log_folds(match)


def test_command_in_the_last_millisecond_is_in_time() -> None:
    sitting = before_roll(delay_ms=10_000)
    sitting.pass_time(10_000 + 3 * 60_000 - 1)
    sitting.do("roll")
    assert sitting.state.phase is not Phase.FINISHED


def test_worker_settles_a_flag_that_is_due() -> None:
    sitting = before_roll(delay_ms=10_000)
    sitting.match.refresh_from_db()
    wake_at = sitting.match.wake_at
    assert wake_at is not None
    assert deadlines.settle_due(wake_at.replace(year=2025)) == wake_at
    deadlines.settle_due(wake_at)
    sitting.match.refresh_from_db()
    assert (sitting.match.outcome, sitting.match.wake_at) == ("flag", None)
    assert_log_folds(sitting.match)


def test_next_game_starts_automatically_if_the_player_is_present() -> None:
    sitting = before_roll(length=5)
    sitting.play_until(Phase.BETWEEN_GAMES)
    sitting.match.refresh_from_db()
    assert sitting.match.wake_at is not None
    deadlines.settle_due(sitting.match.wake_at)
    assert sitting.state.game == 2
    assert_log_folds(sitting.match)


def test_entropy_is_refused_if_it_does_not_match_its_hash() -> None:
    sitting = Sitting(Rules.of("short")).sit()
    sitting.do("entropy_hash", hash="0" * 64)
    assert refused(sitting, "entropy", entropy="ab").code == "unreadable"


def test_entropy_is_refused_before_its_hash() -> None:
    sitting = Sitting(Rules.of("short")).sit()
    assert refused(sitting, "entropy", entropy="ab").code == "wrong_phase"


def test_leaving_a_training_match_logs_nothing() -> None:
    sitting = before_roll()
    seq = sitting.seq
    assert sitting.do("leave").seq == seq
    assert sitting.seq == seq


def test_log_is_append_only() -> None:
    sitting = before_roll()
    row = sitting.match.actions.first()
    assert row is not None
    for change in (row.save, row.delete, sitting.match.actions.all().delete):
        with pytest.raises(LogIsAppendOnly):
            change()
    with pytest.raises(LogIsAppendOnly):
        sitting.match.actions.update(seq=9)


@pytest.mark.django_db(transaction=True)
def test_of_two_concurrent_commands_one_is_done_and_one_is_stale() -> None:
    sitting = before_roll()
    rolls = [command("roll", sitting.seq) for _ in range(2)]
    answers: list[str] = []
    start = new_barrier(2)

    def race(number: int) -> None:
        start.wait()
        try:
            sitting.submit(sitting.owner, rolls[number])
            answers.append("done")
        except Refused as refusal:
            answers.append(refusal.code)
        finally:
            connection.close()

    threads = [threading.Thread(target=race, args=(number,)) for number in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == ["done", "stale"]
    assert_log_folds(sitting.match)


def test_bot_may_not_use_the_guests_seat() -> None:
    sitting = before_roll()
    with pytest.raises(Refused, match="not_seated"):
        sitting.submit(Actor.bot(Side.WHITE), command("roll", sitting.seq))
