"""A forbidden action is refused with the rule that it breaks, and changes nothing."""

from dataclasses import replace

import pytest

from games.engine.board import explain
from games.engine.errors import IllegalAction, InvalidAction, Reason
from games.engine.match import actions as A
from games.engine.match.apply import apply, canonical
from games.engine.match.permissions import graph_of, may_play, may_roll, on_turn
from games.engine.rules import Rules
from tests.games.engine.match_stories import BLACK, WHITE, Story, act, board, in_play

RULES = Rules.of("short", length=5)


@pytest.fixture
def begun() -> Story:
    """Return a match in which White has to play 3-1."""
    story = Story(RULES)
    story.begin()
    return story


def refused(state, action) -> Reason:
    with pytest.raises(IllegalAction) as caught:
        apply(state, action)
    return caught.value.reason


@pytest.mark.parametrize(
    ("kind", "given", "reason"),
    [
        (A.Roll, {"d1": 1, "d2": 2}, Reason.WRONG_PHASE),
        (A.Double, {}, Reason.WRONG_PHASE),
        (A.Take, {}, Reason.WRONG_PHASE),
        (A.Drop, {}, Reason.WRONG_PHASE),
        (A.Beaver, {}, Reason.WRONG_PHASE),
        (A.Accept, {}, Reason.NO_OFFER),
        (A.Refuse, {}, Reason.NO_OFFER),
        (A.NextGame, {}, Reason.WRONG_PHASE),
        (A.Flag, {}, Reason.WRONG_PHASE),
        (A.EntropyHash, {"hash": "00" * 32}, Reason.WRONG_PHASE),
        (A.Entropy, {"hex": "00"}, Reason.WRONG_PHASE),
    ],
)
def test_the_side_with_dice_can_only_play_or_resign(begun, kind, given, reason):
    assert refused(begun.state, kind(at_ms=begun.at_ms, side=WHITE, **given)) is reason


@pytest.mark.parametrize(
    "action",
    [
        A.Commit(at_ms=99, hash="00" * 32),
        A.Start(at_ms=99, game=2),
        A.Opening(at_ms=99, white=1, black=2),
        A.Resume(at_ms=99),
        A.Pause(at_ms=99),
        A.Reveal(at_ms=99, secret="00" * 32),
    ],
    ids=lambda action: action.kind,
)
def test_server_actions_are_refused_in_a_wrong_phase(begun, action):
    assert refused(begun.state, action) is Reason.WRONG_PHASE


def test_play_of_the_side_that_is_not_on_turn_is_refused(begun):
    black_plays = A.Play(at_ms=99, side=BLACK, text="8/5 6/5")
    assert refused(begun.state, black_plays) is Reason.NOT_YOUR_TURN
    assert may_play(begun.state, WHITE)
    assert not may_play(begun.state, BLACK)


def test_roll_is_refused_off_turn(begun):
    begun.do(A.Play, WHITE, text="8/5 6/5")
    assert refused(begun.state, A.Roll(at_ms=99, side=WHITE, d1=1, d2=2)) is Reason.NOT_YOUR_TURN
    assert may_roll(begun.state, BLACK)
    assert not may_roll(begun.state, WHITE)


def test_play_is_refused_before_the_roll(begun):
    begun.do(A.Play, WHITE, text="8/5 6/5")
    early = A.Play(at_ms=99, side=BLACK, text="8/5 6/5")
    assert refused(begun.state, early) is Reason.WRONG_PHASE


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("8/5", Reason.INCOMPLETE_PLAY),
        ("-", Reason.INCOMPLETE_PLAY),
        ("8/6 6/5", Reason.WRONG_DIE),
        ("8/5 7/6", Reason.POINT_EMPTY),
        ("6/3 6/5 6/5", Reason.WRONG_DIE),
    ],
)
def test_an_incomplete_or_illegal_play_is_refused(begun, text, reason):
    assert refused(begun.state, A.Play(at_ms=99, side=WHITE, text=text)) is reason


def test_a_pass_is_legal_only_when_nothing_can_be_played():
    shut = board("short", {25: 1, 6: 14}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 8: 3})
    state = in_play(RULES, shut, WHITE, (6, 5))
    assert graph_of(state).is_pass
    passed = act(state, A.Play, WHITE, text="-", auto=True)
    assert (on_turn(passed), passed.position) == (BLACK, shut)
    assert refused(state, A.Play(at_ms=state.at_ms, side=WHITE, text="bar/19"))


def test_a_refused_action_leaves_the_match_as_it_was(begun):
    before = begun.state
    for bad in (
        A.Play(at_ms=500, side=WHITE, text="24/1"),
        A.Roll(at_ms=500, side=BLACK, d1=1, d2=1),
        A.Start(at_ms=500, game=7),
    ):
        with pytest.raises(IllegalAction):
            apply(before, bad)
    assert begun.folds()
    assert begun.do(A.Play, WHITE, text="8/5 6/5", at_ms=20).at_ms == 20


def test_an_unknown_kind_of_action_is_unreadable(begun):
    with pytest.raises(InvalidAction) as caught:
        apply(begun.state, A.Action(at_ms=99))
    assert caught.value.code == "action_kind"


@pytest.mark.parametrize("game", [1, 3])
def test_games_are_started_in_order(begun, game):
    begun.do(A.Resign, WHITE, factor=1)
    begun.do(A.Accept, BLACK)
    assert refused(begun.state, A.Start(at_ms=99, game=game)) is Reason.WRONG_PHASE


def test_a_takeover_changes_only_the_time_of_the_state(begun):
    before = begun.state
    assert begun.do(A.Takeover, WHITE) == replace(before, at_ms=begun.at_ms)


def test_play_is_logged_with_each_move_and_its_hits():
    hitting = board("short", {13: 2, 6: 13}, {18: 1, 6: 14})
    state = in_play(RULES, hitting, WHITE, (6, 4))
    typed = A.Play(at_ms=state.at_ms, side=WHITE, text="13/3")
    logged = canonical(state, typed)
    assert logged.text in ("13/9 9/3", "13/7* 7/3")
    assert apply(state, logged).position == apply(state, typed).position
    marked = canonical(state, A.Play(at_ms=state.at_ms, side=WHITE, text="13/7 13/9"))
    assert marked.text == "13/7* 13/9"


def test_canonical_returns_a_resignation_that_counts_in_full_unchanged(begun):
    resign = A.Resign(at_ms=99, side=WHITE, factor=1)
    assert canonical(begun.state, resign) is resign


@pytest.mark.parametrize(
    ("rules", "logged"),
    [
        (RULES, 3),
        (Rules.of("short", length=5, koks=False), 2),
        (Rules.of("short", length=5, mars=False), 1),
    ],
)
def test_resignation_is_logged_at_the_factor_that_counts(rules, logged):
    story = Story(rules)
    story.begin()
    offered = A.Resign(at_ms=99, side=WHITE, factor=3)
    assert canonical(story.state, offered).factor == logged
    assert apply(story.state, canonical(story.state, offered)) == apply(story.state, offered)


def test_each_side_has_its_own_first_turn_in_long_nardy():
    story = Story(Rules.of("long", length=3))
    story.begin(6, 1)
    story.do(A.Roll, WHITE, d1=6, d2=6)
    story.do(A.Play, WHITE, text="24/18 24/18")  # two from the head are allowed on the first turn
    story.do(A.Roll, BLACK, d1=4, d2=4)
    story.any_play()
    story.do(A.Roll, WHITE, d1=2, d2=1)
    two = A.Play(at_ms=story.at_ms, side=WHITE, text="24/22 24/23")
    assert refused(story.state, two) is Reason.HEAD_TAKEN


def test_a_turn_is_searched_once_for_all_questions_about_its_moves(begun):
    explain._search.cache_clear()
    for source in range(1, 26):
        explain.why_not(begun.state.position, WHITE, (3, 1), RULES, True, [], source, None)
    assert explain._search.cache_info().misses == 1
