"""The cube: when a side may double, and the cost of each answer."""

from dataclasses import replace

import pytest

from games.engine.errors import IllegalAction, Reason
from games.engine.match import actions as A
from games.engine.match.cube import Cube
from games.engine.match.permissions import may_beaver, may_double, may_take, on_turn
from games.engine.match.public_view import double_cost, may_view
from games.engine.match.state import MatchState, Phase
from games.engine.rules import Rules
from tests.games.engine.match_stories import BLACK, SIDES, WHITE, Story, act, board, in_play

MATCH = Rules.of("short", length=7)
MONEY = Rules.of("short", length=None, jacoby=True, beaver=True)
# Each side has borne off one checker, so there can be no mars; either side can still win.
RACE = board("short", {6: 7, 5: 7}, {6: 7, 5: 7})


def to_roll(rules: Rules = MATCH, turn=WHITE, **given) -> MatchState:
    return in_play(rules, RACE, turn, **given)


def refused(state: MatchState, kind, side, **given) -> Reason:
    with pytest.raises(IllegalAction) as caught:
        act(state, kind, side, **given)
    return caught.value.reason


def test_taken_cube_belongs_to_the_taker_and_has_twice_the_value():
    offered = act(to_roll(), A.Double, WHITE)
    assert (offered.phase, on_turn(offered), offered.cube) == (Phase.CUBE_OFFERED, BLACK, Cube())
    taken = act(offered, A.Take, BLACK)
    assert (taken.phase, on_turn(taken), taken.cube) == (Phase.TO_ROLL, WHITE, Cube(2, BLACK))


def test_only_the_owner_doubles_again():
    taken = act(act(to_roll(), A.Double, WHITE), A.Take, BLACK)
    assert refused(taken, A.Double, WHITE) is Reason.CUBE_NOT_YOURS
    rolled = act(taken, A.Roll, WHITE, d1=2, d2=1)
    played = act(rolled, A.Play, WHITE, text="6/4 6/5")
    again = act(act(played, A.Double, BLACK), A.Take, WHITE)
    assert again.cube == Cube(4, WHITE)


@pytest.mark.parametrize("value", [1, 2, 4, 8, 16, 32])
def test_a_drop_costs_the_value_before_the_offer(value):
    state = to_roll(Rules.of("long", length=None), cube=Cube(value, WHITE if value > 1 else None))
    ended = act(act(state, A.Double, WHITE), A.Drop, BLACK)
    assert ended.score == (value, 0)
    assert (ended.result.winner, ended.result.cause) == (WHITE, "drop")
    assert (ended.result.points, ended.result.cube, ended.result.kind) == (value, value, "single")


def test_the_cube_stops_at_sixty_four():
    at_32 = to_roll(MONEY, cube=Cube(32, WHITE))
    at_64 = act(act(at_32, A.Double, WHITE), A.Take, BLACK)
    assert at_64.cube == Cube(64, BLACK)
    assert refused(replace(at_64, turn=BLACK), A.Double, BLACK) is Reason.CUBE_MAX


@pytest.mark.parametrize("variant", ["short", "long"])
def test_double_is_refused_on_the_first_turn_of_the_game(variant):
    story = Story(Rules.of(variant, length=7, cube=True))
    story.begin()
    if variant == "long":
        assert refused(story.state, A.Double, WHITE) is Reason.CUBE_FIRST_TURN
    else:
        assert refused(story.state, A.Double, WHITE) is Reason.WRONG_PHASE
    story.turn()
    assert may_double(story.state, BLACK)


@pytest.mark.parametrize(
    ("own", "enemy", "cube", "length", "dead"),
    [
        (0, 0, Cube(), 7, False),
        (5, 0, Cube(), 7, False),
        (6, 5, Cube(), 7, True),  # a single win ends the match
        (5, 6, Cube(2, WHITE), 7, True),
        (4, 0, Cube(2, WHITE), 7, False),
        (3, 0, Cube(4, WHITE), 7, True),
        (0, 6, Cube(), 7, False),  # after the Crawford game the trailer may double
        (0, 0, Cube(2, WHITE), 2, True),
        (24, 0, Cube(), 25, True),
        (900, 0, Cube(32, WHITE), None, False),
    ],
)
def test_a_dead_cube_is_not_offered(own, enemy, cube, length, dead):
    rules = Rules.of("short", length=length, cube=True)
    state = to_roll(rules, score=(own, enemy), cube=cube, crawford_done=True)
    if dead:
        assert refused(state, A.Double, WHITE) is Reason.CUBE_DEAD
    else:
        assert may_double(state, WHITE)


@pytest.mark.parametrize(
    ("rules", "given", "reason"),
    [
        (Rules.of("short", length=7, cube=False), {}, Reason.CUBE_OFF),
        (MATCH, {"crawford": True}, Reason.CUBE_CRAWFORD),
        (MATCH, {"turn": BLACK}, Reason.NOT_YOUR_TURN),
        (MATCH, {"dice": (2, 1)}, Reason.WRONG_PHASE),
        (MATCH, {"cube": Cube(2, BLACK)}, Reason.CUBE_NOT_YOURS),
        (MATCH, {"turns": (0, 0)}, Reason.CUBE_FIRST_TURN),
    ],
)
def test_a_forbidden_double_names_the_rule(rules, given, reason):
    assert refused(to_roll(rules, **given), A.Double, WHITE) is reason
    assert not may_view(to_roll(rules, **given), WHITE)["double"]


def test_a_pending_offer_allows_only_its_answer():
    offered = act(to_roll(), A.Double, WHITE)
    assert refused(offered, A.Roll, WHITE, d1=1, d2=2) is Reason.WRONG_PHASE
    assert refused(offered, A.Double, WHITE) is Reason.WRONG_PHASE
    assert refused(offered, A.Resign, WHITE, factor=3) is Reason.WRONG_PHASE
    assert refused(offered, A.Take, WHITE) is Reason.NOT_YOUR_TURN
    assert refused(offered, A.Drop, WHITE) is Reason.NOT_YOUR_TURN
    assert refused(offered, A.Accept, BLACK) is Reason.NO_OFFER
    assert refused(offered, A.Beaver, BLACK) is Reason.BEAVER_OFF


@pytest.mark.parametrize("kind", [A.Take, A.Drop, A.Beaver])
def test_an_answer_is_refused_without_an_offer(kind):
    for side in SIDES:
        assert refused(to_roll(MONEY), kind, side) is Reason.WRONG_PHASE


def test_a_taken_beaver_stays_with_the_side_that_beavered():
    beavered = act(act(to_roll(MONEY), A.Double, WHITE), A.Beaver, BLACK)
    assert (beavered.phase, on_turn(beavered)) == (Phase.BEAVERED, WHITE)
    taken = act(beavered, A.Take, WHITE)
    assert (taken.cube, taken.phase, on_turn(taken)) == (Cube(4, BLACK), Phase.TO_ROLL, WHITE)


@pytest.mark.parametrize("value", [1, 2, 8, 16])
def test_dropped_beaver_costs_the_value_of_the_double(value):
    state = to_roll(MONEY, cube=Cube(value, WHITE if value > 1 else None))
    ended = act(act(act(state, A.Double, WHITE), A.Beaver, BLACK), A.Drop, WHITE)
    assert ended.result.winner is BLACK
    assert ended.score == (0, 2 * value)


def test_doubler_cannot_answer_a_beaver_by_doubling_again():
    beavered = act(act(to_roll(MONEY), A.Double, WHITE), A.Beaver, BLACK)
    assert refused(beavered, A.Beaver, WHITE) is Reason.WRONG_PHASE
    assert refused(beavered, A.Double, WHITE) is Reason.WRONG_PHASE


def test_beaver_above_sixty_four_is_refused():
    offered = act(to_roll(MONEY, cube=Cube(32, WHITE)), A.Double, WHITE)
    assert refused(offered, A.Beaver, BLACK) is Reason.CUBE_MAX
    assert may_take(offered, BLACK)
    assert may_beaver(act(to_roll(MONEY, cube=Cube(16, WHITE)), A.Double, WHITE), BLACK)


def test_the_view_gives_the_cost_of_a_double_to_the_side_to_act():
    state = to_roll(MONEY, cube=Cube(2, WHITE))
    assert double_cost(state, WHITE) == {"take": 4, "drop": 2}
    assert double_cost(state, BLACK) is None
    offered = act(state, A.Double, WHITE)
    assert double_cost(offered, WHITE) is None
    assert double_cost(offered, BLACK) == {"take": 4, "drop": 2}
    beavered = act(offered, A.Beaver, BLACK)
    assert double_cost(beavered, WHITE) == {"take": 8, "drop": 4}
    assert double_cost(beavered, BLACK) is None


@pytest.mark.parametrize("parity_last_turn", [True, False])
def test_cube_is_dead_on_the_last_turn_under_parity(parity_last_turn):
    rules = Rules.of("short", length=7, parity=True)
    state = to_roll(rules, turn=BLACK, last_turn=parity_last_turn)
    if parity_last_turn:
        assert refused(state, A.Double, BLACK) is Reason.CUBE_DEAD
    else:
        assert may_double(state, BLACK)
