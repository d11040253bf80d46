"""The dicts for the page: the view, the permissions and the plays of the turn."""

import json

import pytest

from games.engine.board.position import Position
from games.engine.match import actions as A
from games.engine.match.permissions import graph_of
from games.engine.match.public_view import graph_view, may_view, public_view
from games.engine.match.state import Phase
from games.engine.rules import Rules, Variant
from tests.games.engine.match_stories import BLACK, WHITE, Story, act, in_play

RULES = Rules.of("short", length=5, delay_ms=10_000)
NOTHING = {
    "roll": False,
    "double": False,
    "take": False,
    "drop": False,
    "beaver": False,
    "play": False,
    "resign": [],
    "accept": False,
    "refuse": False,
    "next": False,
    "pause": False,
    "resume": False,
    "double_cost": None,
}


def begun() -> Story:
    story = Story(RULES)
    story.begin()
    return story


def test_view_after_the_opening_has_all_public_fields():
    story = begun()
    view = json.loads(json.dumps(public_view(story.state, 20)))
    start = Position.start(Variant.SHORT)
    assert view == {
        "phase": "to_play",
        "turn": "white",
        "to_act": "white",
        "white": list(start.white),
        "black": list(start.black),
        "dice": [3, 1],
        "opening": [[3, 1]],
        "first": "white",
        "cube": {"on": True, "value": 1, "owner": None, "offered": False},
        "score": {"white": 0, "black": 0},
        "length": 5,
        "game": 1,
        "crawford": False,
        "post_crawford": False,
        "offer": None,
        "last_turn": False,
        "clock": {
            "delay_ms": 10_000,
            "reserve_ms": {"white": 300_000, "black": 300_000},
            "running": "white",
            "delay_left_ms": 10_000,
            "paused": False,
        },
        "pips": {"white": 167, "black": 167},
        "rolled": {"white": 4, "black": 0},
        "doublets": {"white": 0, "black": 0},
        "expected": {"white": 7.0, "black": 0.0},
        "result": None,
        "outcome": None,
        "ready": [],
        "secret": None,
        "secret_lost": False,
    }


def test_no_action_is_allowed_before_the_start():
    for side in (WHITE, BLACK):
        assert may_view(Story(RULES).state, side) == NOTHING


def test_doublet_counts_as_four_dice_in_the_pips_rolled():
    story = begun()
    story.turn()
    story.turn(5, 5)
    view = public_view(story.state, story.at_ms)
    assert (view["rolled"], view["doublets"]) == (
        {"white": 4, "black": 20},
        {"white": 0, "black": 1},
    )


@pytest.mark.parametrize(
    ("steps", "white", "black"),
    [
        ([], {"play": True, "resign": [1, 2, 3]}, {}),
        (
            [(A.Play, WHITE, {"text": "8/5 6/5"})],
            {},
            {
                "roll": True,
                "double": True,
                "resign": [1, 2, 3],
                "double_cost": {"take": 2, "drop": 1},
            },
        ),
        (
            [(A.Play, WHITE, {"text": "8/5 6/5"}), (A.Double, BLACK, {})],
            {"take": True, "drop": True, "double_cost": {"take": 2, "drop": 1}},
            {},
        ),
        ([(A.Resign, WHITE, {"factor": 2})], {}, {"accept": True, "refuse": True}),
        (
            [(A.Resign, WHITE, {"factor": 2}), (A.Accept, BLACK, {}), (A.NextGame, WHITE, {})],
            {},
            {"next": True},
        ),
        ([(A.Pause, None, {})], {"pause": False, "resume": True}, {"pause": False, "resume": True}),
        ([(A.ResignMatch, WHITE, {})], {"pause": False}, {"pause": False}),
    ],
)
def test_each_side_may_do_what_the_state_permits(steps, white, black):
    story = begun()
    for kind, side, given in steps:
        story.do(kind, side, **given)
    common = NOTHING | {"pause": True}
    assert may_view(story.state, WHITE) == common | white
    assert may_view(story.state, BLACK) == common | black


def test_view_shows_the_offer_then_the_result_then_the_outcome():
    story = begun()
    story.do(A.Resign, WHITE, factor=2)
    view = public_view(story.state, story.at_ms)
    assert (view["offer"], view["turn"], view["to_act"]) == (
        {"side": "white", "factor": 2},
        "white",
        "black",
    )
    story.do(A.Accept, BLACK)
    view = public_view(story.state, story.at_ms)
    assert view["result"] == {
        "winner": "black",
        "kind": "gammon",
        "points": 2,
        "cause": "resign",
        "cube": 1,
    }
    assert (view["to_act"], view["score"]) == (None, {"white": 0, "black": 2})
    story.do(A.Leave, WHITE)
    assert public_view(story.state, story.at_ms)["outcome"] == {"winner": "black", "cause": "leave"}


def test_the_cube_in_the_view_keeps_its_value_until_the_answer():
    story = begun()
    story.turn()
    story.do(A.Double, BLACK)
    assert public_view(story.state, 0)["cube"] == {
        "on": True,
        "value": 1,
        "owner": None,
        "offered": True,
    }
    story.do(A.Take, WHITE)
    assert public_view(story.state, 0)["cube"] == {
        "on": True,
        "value": 2,
        "owner": "white",
        "offered": False,
    }


@pytest.mark.parametrize("variant", list(Variant))
def test_each_move_gives_the_position_of_the_node_it_leads_to(variant):
    rules = Rules.of(variant, length=5)
    state = in_play(rules, Position.start(variant), BLACK, (4, 4), turns=(1, 0))
    plays = json.loads(json.dumps(graph_view(graph_of(state), variant, BLACK)))
    assert plays["nodes"][0] == state.position.to_hex(variant)
    assert len(plays["nodes"]) == len(plays["edges"])
    for edges, at in zip(plays["edges"], plays["nodes"], strict=True):
        for source, target, die, hit, after in edges:
            moved = Position.from_hex(plays["nodes"][after], variant).black
            before = Position.from_hex(at, variant).black
            assert moved[source] == before[source] - 1
            assert moved[target] == before[target] + 1
            assert (source - target == die, hit) == (True, 0)
    texts = _walk(plays, 0)
    ends = {act(state, A.Play, BLACK, text=text).position.to_hex(variant) for text in texts}
    assert ends == {plays["nodes"][node] for node in plays["finals"]}


def _walk(plays: dict, node: int) -> list[str]:
    if node in plays["finals"]:
        return [""]
    return [
        f"{source}/{target or 'off'} {rest}".strip()
        for source, target, _die, _hit, after in plays["edges"][node]
        for rest in _walk(plays, after)
    ]


def test_the_plays_belong_to_the_side_on_turn():
    story = begun()
    with pytest.raises(ValueError, match="black"):
        graph_view(graph_of(story.state), Variant.SHORT, BLACK)


@pytest.mark.parametrize(
    ("variant", "one_roll", "two_rolls"), [("short", 7.0, 15.2), ("long", 8.2, 16.3)]
)
def test_expected_pips_count_the_rolls_of_each_side(
    variant: str, one_roll: float, two_rolls: float
) -> None:
    story = Story(Rules.of(variant, length=5))
    assert expected(story) == (0.0, 0.0)
    story.begin()
    if variant == "long":
        assert expected(story) == (0.0, 0.0)
        story.do(A.Roll, WHITE, d1=2, d2=1)
    assert expected(story) == (one_roll, 0.0)
    story.turn()
    assert expected(story) == (one_roll, 0.0)
    story.turn()
    assert expected(story) == (one_roll, 8.2)
    story.turn()
    assert expected(story) == (two_rolls, 8.2)


def test_expected_pips_include_a_roll_after_which_a_side_resigns() -> None:
    story = begun()
    story.turn()
    story.do(A.Roll, BLACK, d1=2, d2=1)
    story.do(A.Resign, BLACK, factor=1)
    story.do(A.Accept, WHITE)
    assert story.state.phase is Phase.BETWEEN_GAMES
    assert expected(story) == (7.0, 8.2)


def expected(story: Story) -> tuple[float, float]:
    view = public_view(story.state, story.at_ms)["expected"]
    return view["white"], view["black"]


def test_games_after_the_crawford_game_are_marked() -> None:
    story = Story(Rules.of("short", length=2, cube=True))
    marks = []
    for loser in (BLACK, WHITE):
        story.begin(3, 1)
        view = public_view(story.state, story.at_ms)
        marks.append((view["crawford"], view["post_crawford"]))
        side = story.state.turn
        if side is not loser:
            story.turn()
            story.do(A.Roll, story.state.turn, d1=2, d2=1)
        story.do(A.Resign, loser, factor=1)
        story.do(A.Accept, loser.other)
    story.begin(3, 1)
    view = public_view(story.state, story.at_ms)
    marks.append((view["crawford"], view["post_crawford"]))
    assert marks == [(False, False), (True, False), (False, True)]
