"""Resigning a game: the lowest factor allowed, one offer at a time, and the answers' effects."""

import random
from functools import cache

import pytest

from games.engine.board.legal import legal_results
from games.engine.board.position import Position
from games.engine.board.win_kind import KIND_POINTS, win_kind
from games.engine.errors import IllegalAction, InvalidPosition, Reason
from games.engine.match import actions as A
from games.engine.match.cube import Cube
from games.engine.match.permissions import may_answer, may_roll, on_turn, resign_factors
from games.engine.match.resignation import certain_minimum
from games.engine.match.scoring import next_is_crawford
from games.engine.match.state import MatchState, Phase
from games.engine.rules import Rules, Variant
from tests.games.engine.match_stories import BLACK, SIDES, WHITE, Story, act, board, in_play

SHORT = Rules.of("short", length=7)
LONG = Rules.of("long", length=7, koks=True)


def least(rules: Rules, own: dict[int, int], enemy: dict[int, int], dice=None, **given) -> int:
    """Return the certain minimum, the lowest factor by which White, on turn, may resign."""
    return certain_minimum(in_play(rules, board(rules.variant, own, enemy), WHITE, dice, **given))


@pytest.mark.parametrize(
    ("own", "enemy", "dice", "factor"),
    [
        # At the start nothing is certain.
        ({24: 2, 13: 5, 8: 3, 6: 5}, {24: 2, 13: 5, 8: 3, 6: 5}, None, 1),
        # With one checker off there is no mars, wherever the others are.
        ({6: 14}, {1: 1}, None, 1),
        ({17: 14}, {1: 1}, None, 1),
        # The winner needs one turn, so the resigner has one. Its best roll, 6-6, brings three
        # checkers home and bears one off. With four checkers outside, the mars is certain.
        ({6: 15}, {1: 1}, None, 1),
        ({7: 1, 6: 14}, {1: 1}, None, 1),
        ({7: 3, 6: 12}, {1: 1}, None, 1),
        ({7: 4, 6: 11}, {1: 1}, None, 2),
        ({12: 4, 6: 11}, {1: 1}, None, 2),
        ({18: 2, 6: 13}, {1: 1}, None, 2),
        # The winner may need two turns of 2-1, so the resigner has eight sixes.
        ({7: 4, 6: 11}, {1: 3}, None, 1),
        ({7: 7, 6: 8}, {1: 4}, None, 1),
        ({7: 8, 6: 7}, {1: 4}, None, 2),
        # The winner's 2-1 bears off a checker on point 6 in two turns, and one on point 3 in one.
        ({7: 7, 6: 8}, {6: 1}, None, 1),
        ({7: 8, 6: 7}, {6: 1}, None, 2),
        ({7: 4, 6: 11}, {3: 1}, None, 2),
        ({7: 4, 6: 11}, {4: 1}, None, 1),
        # Koks: 6-6 takes four checkers out of the winner's home, but not five.
        ({19: 4, 6: 11}, {1: 2}, None, 2),
        ({19: 5, 6: 10}, {1: 2}, None, 3),
        # A checker on the bar needs two sixes to leave the winner's home; the winner's two checkers
        # cannot be hit.
        ({25: 2, 6: 13}, {1: 2}, None, 2),
        ({25: 3, 6: 12}, {1: 2}, None, 3),
        # A checker on the bar might hit the winner's blot: nothing is certain.
        ({25: 3, 6: 12}, {1: 1}, None, 1),
        # After the roll only the plays of these dice count for this turn.
        ({7: 1, 6: 14}, {1: 1}, (6, 5), 1),
        ({7: 1, 6: 14}, {1: 1}, (1, 1), 2),
        ({7: 1, 6: 13, 1: 1}, {1: 1}, (1, 1), 1),
        ({9: 1, 6: 14}, {1: 1}, (2, 2), 2),
        ({8: 1, 6: 13, 2: 1}, {1: 1}, (2, 2), 1),
        ({7: 3, 6: 12}, {1: 1}, (6, 5), 2),
        ({19: 1, 6: 14}, {1: 2}, (4, 2), 2),
        ({20: 1, 6: 14}, {1: 2}, (4, 1), 2),
        ({22: 1, 6: 14}, {1: 2}, (2, 1), 3),
    ],
)
def test_certain_minimum_is_found_in_short_backgammon(own, enemy, dice, factor):
    assert least(SHORT, own, enemy, dice) == factor


@pytest.mark.parametrize(
    ("own", "enemy", "factor"),
    [
        ({24: 15}, {24: 15}, 1),
        ({6: 15}, {1: 2}, 1),
        # Only one checker a turn leaves the head.
        ({24: 2, 6: 13}, {1: 2}, 3),
        ({24: 1, 6: 14}, {1: 2}, 1),
        ({24: 2, 6: 13}, {1: 4}, 1),
        ({24: 9, 6: 6}, {1: 15}, 3),  # in eight turns only eight leave the head
        ({24: 8, 6: 7}, {1: 15}, 1),
        ({23: 5, 6: 10}, {1: 2}, 3),  # five sixes are needed to clear the first quarter
        ({23: 4, 6: 11}, {1: 2}, 2),
        # The resigner passes through the winner's home. The winner's checkers there only bear off
        # and land on no point, so the resigner cannot block them.
        ({18: 4, 6: 11}, {2: 1, 1: 1}, 2),
        # The resigner's points may block a winner's checker that must pass: nothing is certain.
        ({18: 4, 15: 1, 14: 1, 6: 9}, {5: 1, 4: 1}, 1),
    ],
)
def test_certain_minimum_is_found_in_long_nardy(own, enemy, factor):
    assert least(LONG, own, enemy) == factor


def test_a_roll_after_which_the_sides_are_past_each_other_makes_a_mars_certain():
    # Before the roll: White may stay behind the winner's two checkers, and 2-1 makes blots of them.
    enemy = {3: 2}
    assert least(SHORT, {25: 1, 13: 14}, enemy) == 1
    assert least(SHORT, {25: 1, 13: 14}, enemy, dice=(6, 5)) == 2


@pytest.mark.parametrize(
    ("rules", "given", "factor"),
    [
        (Rules.of("short", length=7), {}, 3),
        (Rules.of("short", length=7, koks=False), {}, 2),
        (Rules.of("short", length=7, mars=False, koks=False), {}, 1),
        (Rules.of("short", length=None, jacoby=True), {}, 1),
        (Rules.of("short", length=None, jacoby=True), {"cube": Cube(2, None, 1)}, 1),
        (Rules.of("short", length=None, jacoby=True), {"cube": Cube(2, BLACK)}, 3),
    ],
)
def test_minimum_depends_on_the_points_of_mars_and_koks(rules, given, factor):
    hopeless = board("short", {19: 5, 6: 10}, {1: 2})
    state = in_play(rules, hopeless, WHITE, **given)
    assert certain_minimum(state) == factor
    assert resign_factors(state, WHITE) == (factor,)


def test_mars_and_koks_of_the_manual_profile_ignore_checkers_off():
    manual = Rules.of("short", profile="manual", length=7)
    assert least(manual, {12: 5, 6: 9}, {1: 1}) == 2  # a checker is off, but five are outside home
    assert least(manual, {12: 4, 6: 10}, {1: 1}) == 1
    assert least(manual, {19: 5, 6: 9}, {1: 2}) == 3


def test_koks_of_the_federation_needs_a_checker_in_the_winners_home():
    federation = Rules.of("long", profile="federation", length=7)
    assert least(federation, {18: 5, 6: 10}, {1: 2}) == 3
    assert least(federation, {18: 4, 6: 11}, {1: 2}) == 2
    assert least(federation, {19: 5, 6: 10}, {1: 2}) == 2


def test_second_side_has_one_more_turn_to_avoid_a_mars_under_parity():
    parity = Rules.of("short", length=7, parity=True)
    own, enemy = {7: 4, 6: 11}, {1: 1}
    assert least(parity, own, enemy, first=BLACK) == 1
    assert least(parity, own, enemy, first=WHITE) == 2


def test_a_resignation_below_the_minimum_is_refused():
    state = in_play(SHORT, board("short", {7: 4, 6: 11}, {1: 1}), WHITE)
    assert resign_factors(state, WHITE) == (2, 3)
    with pytest.raises(IllegalAction) as caught:
        act(state, A.Resign, WHITE, factor=1)
    assert caught.value.reason is Reason.RESIGN_TOO_LOW


# ---- compared with a search of the whole race: 6-6 each turn against 2-1, with best play


@cache
def _escapes(position: Position, rules: Rules, worth: int, resigner_moves: bool) -> bool:
    """Return whether White, always rolling 6-6 against 2-1, can lose fewer points than `worth`."""
    side, dice = (WHITE, (6, 6)) if resigner_moves else (BLACK, (2, 1))
    after = (
        _loses_less(result, rules, worth)
        if result.of(side)[0] == 15
        else _escapes(result, rules, worth, not resigner_moves)
        for result in legal_results(position, side, dice, rules)
    )
    return any(after) if resigner_moves else all(after)


def _loses_less(ended: Position, rules: Rules, worth: int) -> bool:
    return ended.white[0] == 15 or KIND_POINTS[win_kind(ended, BLACK, rules)] < worth


def _minimum_by_search(position: Position, rules: Rules) -> int:
    return max(w for w in (1, 2, 3) if w == 1 or not _escapes(position, rules, w, True))


def _random_side(rng: random.Random, checkers: int, points: list[int]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for _ in range(checkers):
        point = rng.choice(points)
        counts[point] = counts.get(point, 0) + 1
    return counts


def test_the_minimum_in_a_race_of_short_backgammon_equals_a_full_search():
    rng = random.Random(7)
    seen = []
    for _ in range(150):
        own = _random_side(rng, 15, [5, 6, 6, 7, 8, 12, 13, 18])
        enemy = _random_side(rng, rng.randint(1, 4), [1, 1, 1, 2, 3, 4, 6])
        position = board("short", own, enemy)
        expected = _minimum_by_search(position, SHORT)
        assert least(SHORT, own, enemy) == expected, position.to_text()
        seen.append(expected)
    assert {1, 2} <= set(seen)


@pytest.mark.parametrize("rules", [SHORT, LONG], ids=["short", "long"])
def test_the_minimum_never_exceeds_a_full_search(rules):
    rng = random.Random(8)
    above_one = 0
    for _ in range(120):
        own = _random_side(rng, 15, [6, 6, 6, 7, 13, 14, 18, 19, 20, 23, 24])
        enemy = _random_side(rng, rng.randint(1, 3), [1, 1, 2, 3, 4])
        try:
            position = board(rules.variant, own, enemy)
        except InvalidPosition:
            continue  # both sides hold the same point
        factor = least(rules, own, enemy)
        if factor > 1:
            above_one += 1
            assert not _escapes(position, rules, factor, True), position.to_text()
    assert above_one > 10


# ---- offering, accepting, refusing


def fresh(variant="short", **given) -> MatchState:
    rules = given.pop("rules", None) or Rules.of(variant, length=7)
    return in_play(rules, Position.start(Variant(variant)), WHITE, **given)


@pytest.mark.parametrize("dice", [None, (3, 1)])
def test_the_game_goes_on_after_a_refused_resignation(dice):
    state = fresh(dice=dice)
    offered = act(state, A.Resign, WHITE, factor=2)
    assert (on_turn(offered), offered.phase, offered.offer.factor) == (BLACK, state.phase, 2)
    refused = act(offered, A.Refuse, BLACK)
    assert (refused.phase, refused.dice, refused.turn, refused.offer) == (
        state.phase,
        state.dice,
        WHITE,
        None,
    )


def test_only_a_higher_offer_may_follow_a_refusal_in_the_same_turn():
    state = act(act(fresh(), A.Resign, WHITE, factor=2), A.Refuse, BLACK)
    assert resign_factors(state, WHITE) == (3,)
    with pytest.raises(IllegalAction) as caught:
        act(state, A.Resign, WHITE, factor=2)
    assert caught.value.reason is Reason.RESIGN_TOO_LOW
    state = act(act(state, A.Resign, WHITE, factor=3), A.Refuse, BLACK)
    assert resign_factors(state, WHITE) == ()


def test_refused_factors_may_be_offered_again_in_the_next_turn():
    story = Story(SHORT)
    story.begin()
    story.do(A.Resign, WHITE, factor=3)
    story.do(A.Refuse, BLACK)
    story.turn()
    assert resign_factors(story.state, BLACK) == (1, 2, 3)
    story.turn()
    assert resign_factors(story.state, WHITE) == (1, 2, 3)
    assert story.folds()


def test_resigner_cannot_act_until_the_resignation_is_answered():
    offered = act(fresh(), A.Resign, WHITE, factor=1)
    assert not may_roll(offered, WHITE)
    assert may_answer(offered, BLACK)
    assert not may_answer(offered, WHITE)
    refusals = {}
    for kind, given in [
        (A.Roll, {"d1": 1, "d2": 2}),
        (A.Double, {}),
        (A.Resign, {"factor": 3}),
        (A.Accept, {}),
    ]:
        with pytest.raises(IllegalAction) as caught:
            act(offered, kind, WHITE, **given)
        refusals[kind] = caught.value.reason
    assert refusals == {
        A.Roll: Reason.RESIGN_PENDING,
        A.Double: Reason.RESIGN_PENDING,
        A.Resign: Reason.RESIGN_PENDING,
        A.Accept: Reason.NOT_YOUR_TURN,
    }


@pytest.mark.parametrize("side", SIDES)
def test_accept_is_refused_without_an_offer(side):
    with pytest.raises(IllegalAction) as caught:
        act(fresh(), A.Accept, side)
    assert caught.value.reason is Reason.NO_OFFER


def test_resign_is_refused_off_turn():
    with pytest.raises(IllegalAction) as caught:
        act(fresh(), A.Resign, BLACK, factor=3)
    assert caught.value.reason is Reason.NOT_YOUR_TURN
    assert resign_factors(fresh(), BLACK) == ()


def test_resign_match_is_allowed_off_turn_and_under_an_offer():
    offered = act(fresh(), A.Resign, WHITE, factor=1)
    for side in SIDES:
        ended = act(offered, A.ResignMatch, side)
        assert (ended.phase, ended.outcome.winner, ended.offer) == (
            Phase.FINISHED,
            side.other,
            None,
        )


def test_offer_is_limited_to_the_factor_that_the_switches_allow():
    rules = Rules.of("short", length=7, koks=False)
    offered = act(fresh(rules=rules), A.Resign, WHITE, factor=3)
    assert offered.offer.factor == 2
    assert resign_factors(fresh(rules=rules), WHITE) == (1, 2)


def test_a_resignation_can_make_the_next_game_crawford():
    state = fresh(score=(0, 4))
    ended = act(act(state, A.Resign, WHITE, factor=2), A.Accept, BLACK)
    assert ended.score == (0, 6)
    assert next_is_crawford(ended)
