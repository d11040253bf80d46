"""Random whole matches: the log folds to the state, and a snapshot restores it."""

import copy
import json
import random

import pytest

from games.engine.board.win_kind import KIND_POINTS
from games.engine.errors import InvalidAction
from games.engine.match.action_codec import (
    action_from_dict,
    action_from_text,
    action_to_dict,
    action_to_text,
)
from games.engine.match.actions import Play
from games.engine.match.apply import apply, fold, new_match
from games.engine.match.cube import MAX_VALUE
from games.engine.match.permissions import on_turn
from games.engine.match.public_view import may_view, public_view
from games.engine.match.snapshot import dumps, loads
from games.engine.match.state import Phase
from games.engine.rules import Rules
from tests.games.engine.match_stories import SIDES, Story, random_story

RULE_SETS = {
    "short to 4": Rules.of("short", length=4, delay_ms=30_000),
    "short parity": Rules.of("short", length=3, parity=True),
    "short money": Rules.of("short", length=None, jacoby=True, beaver=True, auto_doubles=3),
    "short no koks": Rules.of("short", length=3, koks=False, hit="no_hit_and_run"),
    "short manual": Rules.of("short", profile="manual", length=1),
    "long to 4": Rules.of("long", length=4, delay_ms=30_000),
    "long parity": Rules.of("long", length=3, parity=True, koks=True),
    "long money": Rules.of("long", length=None, jacoby=True, beaver=True, auto_doubles=1),
    "long federation": Rules.of("long", profile="federation", length=3),
    "long end of turn": Rules.of("long", length=2, block="end_of_turn"),
}


@pytest.fixture(scope="module", params=RULE_SETS)
def story(request) -> Story:
    rules = RULE_SETS[request.param]
    rng = random.Random(request.param)
    return random_story(rules, rng, max_games=None if rules.length else 4)


def test_the_log_folds_to_the_state(story):
    assert fold(story.rules, story.log) == story.state


def test_the_log_folds_to_the_state_after_a_round_trip_through_text_and_json(story):
    lines = [action_to_text(action) for action in story.log]
    assert fold(story.rules, map(action_from_text, lines)) == story.state
    rows = json.loads(json.dumps([action_to_dict(action) for action in story.log]))
    assert fold(Rules.from_dict(story.rules.to_dict()), map(action_from_dict, rows)) == story.state


def test_every_state_is_restored_from_its_snapshot(story):
    state = new_match(story.rules)
    for number, action in enumerate(story.log):
        state = apply(state, action)
        # States before a roll or a play are many: only those after every seventh action are tried.
        if number % 7 == 0 or state.phase not in (Phase.TO_ROLL, Phase.TO_PLAY):
            assert loads(json.loads(json.dumps(dumps(state)))) == state
    assert state == story.state


def test_invariants_hold_in_every_state(story):
    state = new_match(story.rules)
    for action in story.log:
        before, state = state, apply(state, action)
        assert 1 <= state.cube.value <= MAX_VALUE
        assert all(new >= old for new, old in zip(state.score, before.score, strict=True))
        assert (state.dice is not None) == (state.phase is Phase.TO_PLAY) or state.outcome
        if state.result is not before.result:
            result = state.result
            worth = 1 if result.winner is None else KIND_POINTS[result.kind] * result.cube
            assert result.points == worth
            sides_with_points = 2 if result.winner is None else 1  # both after a draw
            assert sum(state.score) - sum(before.score) == worth * sides_with_points
        if isinstance(action, Play) and state.phase is Phase.TO_ROLL:
            assert state.position.pips(action.side) <= before.position.pips(action.side)


def test_only_the_side_on_turn_can_act(story):
    state = new_match(story.rules)
    for number, action in enumerate(story.log):
        state = apply(state, action)
        if number % 5:
            continue  # every fifth state is checked
        side_to_act = on_turn(state)
        for side in SIDES:
            may = may_view(state, side)
            able = any(
                may[name] for name in ("roll", "double", "take", "drop", "play", "accept", "resign")
            )
            assert able == (side is side_to_act)
        json.dumps(public_view(state, state.at_ms))


def test_random_matches_cover_all_offers_and_their_answers():
    kinds, causes = set(), set()
    for name, rules in RULE_SETS.items():
        match = random_story(rules, random.Random(name), max_games=None if rules.length else 4)
        kinds |= {action.kind for action in match.log}
        state = new_match(rules)
        for action in match.log:
            state = apply(state, action)
            causes |= {state.result.cause.value} if state.result else set()
    assert {"double", "take", "drop", "beaver", "resign", "accept", "refuse", "play"} <= kinds
    assert {"bear_off", "drop", "resign"} <= causes


def test_a_match_without_a_cube_is_played_to_its_end():
    rules = Rules.of("long", length=3, cube=False)
    match = random_story(rules, random.Random(3))
    assert max(match.state.score) >= 3
    assert match.state.outcome.cause == "points"


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data.update(v=2),
        lambda data: data.pop("v"),
        lambda data: data.pop("cube"),
        lambda data: data.update(phase="asleep"),
        lambda data: data.update(position="0" * 52),
        lambda data: data.update(score=[1]),
        lambda data: data.update(dice=5),
        lambda data: data["rules"].update(length=99),
        lambda data: data.update(proof=None),
    ],
)
def test_a_damaged_snapshot_is_refused(damage):
    story = Story(RULE_SETS["short to 4"])
    story.begin()
    data = copy.deepcopy(dumps(story.state))
    damage(data)
    with pytest.raises(InvalidAction):
        loads(data)


@pytest.mark.parametrize("data", [None, [], "x", {}])
def test_anything_but_a_snapshot_is_refused(data):
    with pytest.raises(InvalidAction) as caught:
        loads(data)
    assert caught.value.code == "snapshot"
