"""The seat holder sets a premove for a game; it is done in the transaction that makes it due."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from accounts.shared.refusals import Refused
from games.engine.match.permissions import on_turn
from games.engine.match.state import Phase
from games.engine.sides import Side
from games.models import Action, Seat
from games.models.actor import Actor
from games.models.premove import CubeAnswer, Premove
from games.protocol.snapshots import state_frame
from games.services import actions, heartbeat, seats
from tests.games.factories import (
    PairSitting,
    Sitting,
    StakeSitting,
    assert_log_folds,
    command,
    some_play,
)
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db

ROLL = Premove(roll=True)
TAKE, DROP = Premove(cube=CubeAnswer.TAKE), Premove(cube=CubeAnswer.DROP)


def sitting_at(phase: Phase, length: int = 5) -> tuple[StakeSitting, Side]:
    """Return a match for credits in this phase, and the side that is not to act."""
    sitting = StakeSitting(player("w"), player("b"), length=length).sit().start_game()
    while min(sitting.state.turns) < 1 or sitting.state.phase is not phase:
        sitting.act_simply()
    side = on_turn(sitting.state)
    assert side is not None
    return sitting, side.other


def decide(sitting: Sitting, side: Side, premove: Premove, game: int | None = None) -> None:
    actor = sitting.actors[side] if isinstance(sitting, PairSitting) else sitting.owner
    game = sitting.state.game if game is None else game
    actions.set_premove(sitting.public_id, actor, game, premove, sitting.now)


def held(sitting: Sitting, side: Side) -> Premove:
    return Seat.objects.get(match=sitting.match, side=side.value).premove_in(sitting.state)


def play_on(sitting: Sitting, side: Side) -> None:
    sitting.do("play", side=side, d=some_play(sitting.state))


def verbs_since(sitting: Sitting, seq: int) -> list[tuple[str, str]]:
    rows = Action.objects.filter(match=sitting.match, seq__gt=seq).order_by("seq")
    return list(rows.values_list("verb", "side"))


def test_premove_rolls_in_the_transaction_of_the_opponents_play() -> None:
    sitting, waiting = sitting_at(Phase.TO_PLAY)
    decide(sitting, waiting, ROLL)
    sitting.pass_time(3000)
    seq = sitting.seq
    play_on(sitting, waiting.other)
    play, roll = Action.objects.filter(match=sitting.match, seq__gt=seq).order_by("seq")[:2]
    assert (play.verb, roll.verb, roll.side) == ("play", "roll", waiting.value)
    assert roll.data["at_ms"] == play.data["at_ms"]
    assert roll.client_id is None
    assert held(sitting, waiting) == ROLL
    assert_log_folds(sitting.match)


def test_roll_in_advance_is_done_even_if_the_player_could_double() -> None:
    sitting, waiting = sitting_at(Phase.TO_PLAY)
    assert sitting.state.cube.owner is None
    assert not sitting.state.crawford
    decide(sitting, waiting, ROLL)
    play_on(sitting, waiting.other)
    assert sitting.state.phase is not Phase.TO_ROLL or sitting.state.turn is not waiting


def test_without_a_premove_the_player_has_to_roll() -> None:
    sitting, waiting = sitting_at(Phase.TO_PLAY)
    play_on(sitting, waiting.other)
    assert (sitting.state.phase, sitting.state.turn) == (Phase.TO_ROLL, waiting)


def test_premove_that_is_due_is_done_at_once() -> None:
    sitting, waiting = sitting_at(Phase.TO_ROLL)
    seq = sitting.seq
    decide(sitting, waiting.other, ROLL)
    assert verbs_since(sitting, seq)[0] == ("roll", waiting.other.value)
    assert_log_folds(sitting.match)


@pytest.mark.parametrize(("premove", "verb"), [(TAKE, "take"), (DROP, "drop")])
def test_double_is_answered_in_its_transaction(premove: Premove, verb: str) -> None:
    sitting, waiting = sitting_at(Phase.TO_ROLL)
    decide(sitting, waiting, premove)
    seq = sitting.seq
    sitting.do("double", side=waiting.other)
    doubler = waiting.other.value
    assert verbs_since(sitting, seq)[:2] == [("double", doubler), (verb, waiting.value)]
    assert sitting.state.phase is (Phase.TO_ROLL if verb == "take" else Phase.BETWEEN_GAMES)
    assert_log_folds(sitting.match)


def test_doubler_can_roll_in_advance_after_the_opponent_took_in_advance() -> None:
    sitting, waiting = sitting_at(Phase.TO_ROLL)
    decide(sitting, waiting, TAKE)
    sitting.do("double", side=waiting.other)
    seq = sitting.seq
    decide(sitting, waiting.other, ROLL)
    assert verbs_since(sitting, seq)[0] == ("roll", waiting.other.value)
    assert_log_folds(sitting.match)


def test_premoves_of_both_sides_alternate_until_a_side_has_a_choice() -> None:
    sitting, _waiting = sitting_at(Phase.TO_PLAY)
    for side in Side:
        decide(sitting, side, ROLL)
    for _ in range(12):
        if sitting.state.phase is not Phase.TO_PLAY:
            break
        side = on_turn(sitting.state)
        assert side is not None
        play_on(sitting, side)
    assert sitting.state.phase is not Phase.TO_ROLL
    assert_log_folds(sitting.match)


def test_resignation_is_never_answered_in_advance() -> None:
    sitting, waiting = sitting_at(Phase.TO_ROLL)
    decide(sitting, waiting, Premove(roll=True, cube=CubeAnswer.TAKE))
    sitting.do("resign", side=waiting.other, factor=3)
    assert sitting.state.offer is not None


def test_premove_ends_with_the_game() -> None:
    sitting, waiting = sitting_at(Phase.TO_ROLL)
    decide(sitting, waiting, DROP)
    decide(sitting, waiting, Premove(roll=True, cube=CubeAnswer.DROP))
    sitting.do("double", side=waiting.other)
    assert sitting.state.phase is Phase.BETWEEN_GAMES
    assert held(sitting, waiting) == Premove()
    for side in Side:
        sitting.do("next", side=side)
    assert sitting.state.game == 2
    assert held(sitting, waiting) == Premove()


def test_absence_ends_a_premove_and_a_second_tab_keeps_it() -> None:
    sitting, waiting = sitting_at(Phase.TO_PLAY)
    decide(sitting, waiting, ROLL)
    sitting.sit(waiting)
    assert held(sitting, waiting) == ROLL
    sitting.go(waiting)
    assert held(sitting, waiting) == Premove()
    sitting.sit(waiting)
    play_on(sitting, waiting.other)
    assert (sitting.state.phase, sitting.state.turn) == (Phase.TO_ROLL, waiting)


def test_silence_that_counts_as_absence_ends_a_premove() -> None:
    sitting, waiting = sitting_at(Phase.TO_PLAY)
    decide(sitting, waiting, ROLL)
    seats.empty_silent_seats(sitting.now + seats.SILENCE + timedelta(seconds=5))
    assert held(sitting, waiting) == Premove()


@pytest.mark.parametrize(
    ("who", "code"),
    [("stranger", "not_seated"), ("old tab", "passive"), ("passive tab", "passive")],
)
def test_only_the_seat_holder_sets_a_premove(who: str, code: str) -> None:
    sitting, waiting = sitting_at(Phase.TO_PLAY)
    mine = sitting.actors[waiting]
    actor = {
        "stranger": Actor(user_id=player("x").pk, holder=mine.holder),
        "old tab": replace(mine, holder=uuid4()),
        "passive tab": replace(mine, holder=None),
    }[who]
    with pytest.raises(Refused, match=code):
        actions.set_premove(sitting.public_id, actor, 1, ROLL, sitting.now)
    assert held(sitting, waiting) == Premove()


def test_premove_of_another_game_is_refused() -> None:
    sitting, waiting = sitting_at(Phase.TO_PLAY)
    with pytest.raises(Refused, match="wrong_phase"):
        decide(sitting, waiting, ROLL, game=2)


def test_premove_of_a_finished_match_is_refused() -> None:
    sitting, waiting = sitting_at(Phase.TO_ROLL, length=2)
    sitting.do("resign_match", side=waiting)
    with pytest.raises(Refused, match="finished"):
        decide(sitting, waiting, ROLL)


def test_premove_after_the_flag_loses_on_time() -> None:
    sitting, waiting = sitting_at(Phase.TO_ROLL)
    sitting.pass_time(3_600_000)
    with pytest.raises(Refused, match="out_of_time"):
        decide(sitting, waiting.other, ROLL)
    assert sitting.state.phase is Phase.FINISHED
    assert_log_folds(sitting.match)


def test_premove_within_the_grace_is_refused_and_not_kept() -> None:
    sitting, waiting = sitting_at(Phase.TO_ROLL)
    side = waiting.other
    Seat.objects.filter(match=sitting.match, side=side.value).update(lag_ms=300)
    clock = sitting.state.clock
    assert clock is not None
    sitting.now = sitting.match.created_at + timedelta(milliseconds=clock.flag_at_ms() or 0)
    seq = sitting.seq
    with pytest.raises(Refused, match="out_of_time"):
        decide(sitting, side, ROLL)
    assert (sitting.seq, sitting.state.phase) == (seq, Phase.TO_ROLL)
    assert held(sitting, side) == Premove()


def test_premove_is_not_done_before_the_time_of_an_outage_is_given_back() -> None:
    sitting, waiting = sitting_at(Phase.TO_ROLL)
    heartbeat.beat(sitting.now)
    sitting.pass_time(60_000)
    with pytest.raises(Refused, match="too_fast"):
        decide(sitting, waiting.other, ROLL)
    heartbeat.beat(sitting.now)
    decide(sitting, waiting.other, ROLL)
    assert sitting.state.phase is not Phase.TO_ROLL


def test_premove_is_shown_only_to_its_player() -> None:
    sitting, waiting = sitting_at(Phase.TO_PLAY)
    decide(sitting, waiting, DROP)
    frames = [
        state_frame(sitting.public_id, side, -1, sitting.now)
        for side in (waiting, waiting.other, None)
    ]
    assert [frame["premove"] for frame in frames] == [
        {"roll": False, "cube": "drop"},
        {"roll": False, "cube": None},
        None,
    ]


def test_command_that_arrives_after_the_premove_is_done_is_stale() -> None:
    sitting, waiting = sitting_at(Phase.TO_PLAY)
    decide(sitting, waiting, ROLL)
    seq = sitting.seq + 1  # the page has seen the play but not the roll after it
    play_on(sitting, waiting.other)
    with pytest.raises(Refused, match="stale"):
        sitting.submit(sitting.actors[waiting], command("double", seq))
    assert_log_folds(sitting.match)
