"""Parity: after the first side bears off, the other plays once more; a draw is a point each."""

import pytest

from games.engine.errors import IllegalAction, Reason
from games.engine.match import actions as A
from games.engine.match.cube import Cube
from games.engine.match.permissions import on_turn, resign_factors
from games.engine.match.state import MatchState, Phase
from games.engine.rules import Rules
from tests.games.engine.match_stories import BLACK, SIDES, WHITE, act, board, in_play


def finishing(
    second_board: dict[int, int], first=WHITE, variant="short", mover=None, **given
) -> MatchState:
    """Return a game where `mover`, by default the first side, has one checker and a roll of 2-1."""
    rules = given.pop("rules", None) or Rules.of(variant, length=7, parity=True)
    mover = mover or first
    sides = {mover: {1: 1}, mover.other: second_board}
    position = board(rules.variant, sides[WHITE], sides[BLACK])
    return in_play(rules, position, mover, (2, 1), first=first, **given)


def last_turn(state: MatchState, d1: int, d2: int, text: str) -> MatchState:
    """Bear off the first side's last checker, then roll and play the other side's last turn."""
    first = state.turn
    went_on = act(state, A.Play, first, text="1/off")
    assert (went_on.phase, went_on.last_turn, on_turn(went_on)) == (
        Phase.TO_ROLL,
        True,
        first.other,
    )
    rolled = act(went_on, A.Roll, first.other, d1=d1, d2=d2)
    return act(rolled, A.Play, first.other, text=text)


@pytest.mark.parametrize("first", SIDES)
@pytest.mark.parametrize("variant", ["short", "long"])
def test_the_game_is_drawn_if_the_second_side_finishes_as_well(first, variant):
    ended = last_turn(finishing({1: 2}, first, variant), 6, 5, "1/off 1/off")
    assert (ended.result.winner, ended.result.points, ended.result.cause) == (None, 1, "bear_off")
    assert (ended.score, ended.phase) == ((1, 1), Phase.BETWEEN_GAMES)
    assert not ended.last_turn


@pytest.mark.parametrize("cube", [Cube(), Cube(2, WHITE), Cube(64, BLACK)])
def test_the_cube_does_not_count_in_a_drawn_game(cube):
    ended = last_turn(finishing({1: 2}, cube=cube), 6, 5, "1/off 1/off")
    assert (ended.score, ended.result.cube, ended.result.kind) == ((1, 1), 1, "single")


@pytest.mark.parametrize("cube", [Cube(), Cube(4, BLACK)])
def test_second_side_that_does_not_finish_in_the_last_turn_loses(cube):
    ended = last_turn(finishing({1: 3}, cube=cube), 6, 5, "1/off 1/off")
    assert (ended.result.winner, ended.score) == (WHITE, (cube.value, 0))


def test_kind_of_win_is_determined_after_the_last_turn():
    # Without the last turn Black would lose a mars; 6-5 bears off two checkers, so it is a single.
    ended = last_turn(finishing({6: 8, 5: 7}), 6, 5, "6/off 5/off")
    assert (ended.result.kind, ended.score) == ("single", (1, 0))


def test_last_turn_can_change_koks_to_mars():
    ended = last_turn(finishing({6: 7, 5: 7, 19: 1}), 6, 1, "19/13 6/5")
    assert (ended.result.kind, ended.score) == ("gammon", (2, 0))


def test_mars_remains_if_the_last_turn_bears_off_no_checker():
    ended = last_turn(finishing({6: 7, 5: 7, 8: 1}), 2, 1, "8/6 6/5")
    assert (ended.result.kind, ended.score) == ("gammon", (2, 0))


@pytest.mark.parametrize("first", SIDES)
def test_game_is_over_at_once_if_the_second_side_finishes_first(first):
    state = finishing({1: 1}, first, mover=first.other)
    ended = act(state, A.Play, first.other, text="1/off")
    assert ended.result.winner is first.other
    assert ended.phase is Phase.BETWEEN_GAMES


def test_first_side_wins_at_once_without_parity():
    state = finishing({1: 1}, rules=Rules.of("short", length=7))
    assert act(state, A.Play, WHITE, text="1/off").result.winner is WHITE


@pytest.mark.parametrize(
    ("length", "score", "winner", "cause"),
    [
        (1, (0, 0), None, "draw"),
        (7, (6, 6), None, "draw"),
        (7, (6, 0), WHITE, "points"),
        (7, (5, 6), BLACK, "points"),
    ],
)
def test_a_drawn_game_can_end_the_match(length, score, winner, cause):
    rules = Rules.of("long", length=length, parity=True)
    ended = last_turn(finishing({1: 2}, rules=rules, score=score), 6, 5, "1/off 1/off")
    assert ended.phase is Phase.FINISHED
    assert (ended.outcome.winner, ended.outcome.cause) == (winner, cause)
    assert ended.score == (score[0] + 1, score[1] + 1)


def test_a_drawn_game_counts_towards_crawford():
    rules = Rules.of("short", length=7, parity=True)
    ended = last_turn(finishing({1: 2}, rules=rules, score=(5, 5)), 6, 5, "1/off 1/off")
    started = act(ended, A.Start, game=2)
    assert (started.score, started.crawford) == ((6, 6), True)


def test_resignation_in_the_last_turn_must_offer_a_loss_that_no_roll_avoids():
    # All fifteen checkers are far from home: no roll of the last turn avoids koks.
    state = act(finishing({23: 15}, variant="short"), A.Play, WHITE, text="1/off")
    assert resign_factors(state, BLACK) == (3,)
    with pytest.raises(IllegalAction) as caught:
        act(state, A.Resign, BLACK, factor=2)
    assert caught.value.reason is Reason.RESIGN_TOO_LOW
    ended = act(act(state, A.Resign, BLACK, factor=3), A.Accept, WHITE)
    assert ended.score == (3, 0)


def test_resignation_in_the_last_turn_need_not_offer_a_mars_that_a_roll_can_avoid():
    state = act(finishing({6: 8, 5: 7}), A.Play, WHITE, text="1/off")
    assert resign_factors(state, BLACK) == (1, 2, 3)
    unlucky = act(state, A.Roll, BLACK, d1=2, d2=1)
    assert resign_factors(unlucky, BLACK) == (2, 3)


def test_last_turn_is_played_after_a_refused_resignation():
    state = act(finishing({1: 2}), A.Play, WHITE, text="1/off")
    offered = act(state, A.Resign, BLACK, factor=1)
    refused = act(offered, A.Refuse, WHITE)
    assert (refused.last_turn, on_turn(refused)) == (True, BLACK)
