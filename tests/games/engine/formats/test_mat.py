"""Short backgammon as .mat: golden sample, round trips, habits of other programs, bad files."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest

from games.engine.errors import InvalidAction
from games.engine.formats import mat
from games.engine.match.action_codec import action_from_dict, action_to_text
from games.engine.match.actions import Action, Opening, Play
from games.engine.match.apply import fold
from games.engine.match.state import MatchState, Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from tests.games.engine.formats.matches import ENDINGS, RandomMatch, random_match

GOLDEN_FOLDER = Path(__file__).with_name("golden")
GOLDEN = (GOLDEN_FOLDER / "short.mat").read_text(encoding="utf-8")


def actions_of(export: dict[str, Any]) -> list[str]:
    return [
        action_to_text(action_from_dict(action)).partition(" ")[2] for action in export["actions"]
    ]


def folded(export: dict[str, Any]) -> MatchState:
    actions = [action_from_dict(action) for action in export["actions"]]
    return fold(Rules.from_dict(export["rules"]), actions)


@pytest.mark.parametrize("seed", range(28))
def test_random_matches_round_trip_through_the_file(seed: int) -> None:
    length, ending = [1, 3, 7, 2][seed % 4], ENDINGS[seed % 7]
    rules = Rules.of("short", length=length, cube=length > 1, delay_ms=30_000)
    match = random_match(seed, rules, ending=ending)
    text = mat.dump(match.export())
    export = mat.load(text)
    assert mat.dump(export) == text
    state = folded(export)
    assert (state.score, state.outcome) == (match.state.score, match.state.outcome)
    assert state.position == match.state.position
    assert export["rules"] == match.state.rules.to_dict()
    assert text.isascii()


@pytest.mark.parametrize(
    "changes",
    [
        {"profile": "manual"},
        {"profile": "federation", "hit": "no_hit_and_run"},
        {"mars": False},
        {"koks": False, "crawford": False},
        {"length": None, "jacoby": True, "beaver": True, "cube": True},
    ],
    ids=str,
)
def test_matches_under_other_rules_round_trip_through_the_file(changes: dict[str, Any]) -> None:
    for seed in range(4):
        rules = Rules.of("short", **{"length": 5, **changes})
        match = random_match(seed, rules, cubes=0.2, most_actions=600)
        text = mat.dump(match.export())
        export = mat.load(text)
        assert mat.dump(export) == text
        assert folded(export).score == match.state.score
        assert export["rules"] == rules.to_dict()


def test_turn_after_the_first_side_has_borne_off_is_left_out() -> None:
    rules = Rules.of("short", length=1, parity=True)
    matches = [random_match(seed, rules, resigns=0) for seed in range(12)]
    left_out = 0
    for match in matches:
        text = mat.dump(match.export())
        plays = sum(action.kind == "play" for action in match.log)
        left_out += plays - len(re.findall(r"[1-6][1-6]:", text))
        if match.last_result.winner is not None:
            assert f"Wins {match.last_result.points} point" in text
    # Under parity the second side has a turn after the first has borne off; the file omits it.
    expected = sum(match.last_result.winner in (match.state.first, None) for match in matches)
    assert left_out == expected > 0


@pytest.mark.parametrize("seed", range(6))
def test_flag_that_falls_while_a_resignation_waits_is_read_back(seed: int) -> None:
    rules = Rules.of("short", length=3, cube=True, delay_ms=30_000)
    match = RandomMatch(rules, random.Random(seed), cubes=0.1, resigns=0.2)
    while match.state.offer is None:
        match.step()
    match.cut("flag")
    text = mat.dump(match.export())
    export = mat.load(text)
    state = folded(export)
    assert (state.outcome, state.score) == (match.state.outcome, match.state.score)
    assert mat.dump(export) == text


def test_golden_file_matches_its_actions() -> None:
    logged = (GOLDEN_FOLDER / "short.log").read_text(encoding="utf-8").splitlines()
    without_ties = [line for line in logged if line not in ("0 opening 2 2", "0 opening 5 5")]
    export = mat.load(GOLDEN)
    assert [f"0 {line}" for line in actions_of(export)] == without_ties
    assert mat.dump(export) == GOLDEN
    assert export["seats"]["black"]["name"] == "boris"
    state = folded(export)
    assert state.score == (3, 2)
    assert state.outcome is not None
    assert state.outcome.winner is Side.WHITE


def test_roll_without_moves_is_a_pass_unless_it_is_the_last_of_the_file() -> None:
    unplayed = GOLDEN[: GOLDEN.index("      Wins 2 points\n\n Game 3")]
    state = folded(mat.load(unplayed))
    assert (state.phase, state.dice) == (Phase.TO_PLAY, (3, 6))
    assert mat.dump(mat.load(unplayed)) == unplayed
    match = random_match(1, Rules.of("short", length=3), resigns=0)
    passes = [action for action in match.log if isinstance(action, Play) and action.text == "-"]
    read = mat.load(mat.dump(match.export()))["actions"]
    assert [a for a in read if a.get("text") == "-"] == [
        {"kind": "play", "at_ms": 0, "side": p.side, "text": "-", "auto": True} for p in passes
    ]
    assert passes


def test_match_that_is_void_before_its_first_game_has_a_file() -> None:
    match = RandomMatch(Rules.of("short", length=3), random.Random(1), cubes=0, resigns=0)
    match.cut("void")
    text = mat.dump(match.export())
    assert mat.dump(mat.load(text)) == text
    assert folded(mat.load(text)).outcome == match.state.outcome


def test_names_are_changed_to_fit_the_format() -> None:
    match = random_match(3, Rules.of("short", length=1))
    export = match.export()
    export["seats"]["white"]["name"] = "a : b  c\n; [x]"
    export["seats"]["black"]["name"] = "12345"
    text = mat.dump(export)
    assert " a_b_c_x : 0                    Black : 0\n" in text
    assert mat.dump(mat.load(text)) == text
    export["seats"]["black"]["name"] = "a_b_c_x"
    assert mat.load(mat.dump(export))["seats"]["black"]["name"] == "a_b_c_x_2"


def test_bot_without_a_name_is_named_by_its_level() -> None:
    export = random_match(3, Rules.of("short", length=1)).export()
    export["seats"]["black"] = {"kind": "bot", "name": "", "level": "strong"}
    assert '[Player 2 "bot_strong"]' in mat.dump(export)


def test_files_of_other_programs_are_read() -> None:
    text = "".join(line for line in GOLDEN.splitlines(True) if not line.startswith("; [Rules"))
    text = text.replace("; [Site", '; [Event "Club"]\n; [Site').replace("\n", "\r\n")
    text = text.replace("21/16 16/15", "21/15").replace("25/23 6/2", "Bar/23 6/2")
    text = text.replace("Drops", "Passes").replace("63:\r", "63: ????\r")
    assert "????" in text
    assert actions_of(mat.load("\ufeff" + text)) == actions_of(mat.load(GOLDEN))


def test_a_match_with_automatic_doubles_is_refused() -> None:
    rules = Rules.of("short", length=None, auto_doubles=1)
    matches = [random_match(seed, rules, most_actions=400) for seed in range(6)]
    doubled = [match for match in matches if any(map(is_tie, match.log))]
    with pytest.raises(InvalidAction) as refused:
        mat.dump(doubled[0].export())
    assert refused.value.code == "mat_auto_double"


def is_tie(action: Action) -> bool:
    return isinstance(action, Opening) and action.white == action.black


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        (" 3 point match", "a match", "mat"),
        (" 3 point match", "", "mat"),
        (" anna : 0 ", " anna , 0 ", "mat"),
        (" anna : 2 ", " anna : 1 ", "mat_score"),
        (" Game 2", " Game 3", "mat_illegal"),
        ("8/3 6/4", "8/3 6/5", "mat_illegal"),
        ("8/3 6/4", "8/3", "mat_illegal"),
        ("8/3 6/4", "8/3 6/x", "mat_unreadable"),
        ("8/3 6/4", "8/3* 6/4", "mat_illegal"),
        ("52: 8/3", "55: 8/3", "mat_opening"),
        ("Doubles => 2", "Doubles => 4", "mat_cube"),
        ("Doubles => 2", "64: 24/14", "mat_illegal"),
        ("Takes", "Thinks", "mat_cell"),
        ("Takes", "Accepts", "mat_illegal"),
        ("Wins 2 points", "Wins 4 points", "mat_result"),
        ("Wins 1 point ", "Wins 4 points ", "mat_result"),
        ("mars=on", "mars=perhaps", "rules_mars"),
        ("mars=on", "mars", "mat_rules"),
        ("mars=on", f"delay_ms={'9' * 5000}", "mat_rules"),
        ("mars=on", "cls=on", "rules_unknown"),
        (" Game 1", " Game 0", "mat_unreadable"),
        ("mars=on", "mars=off", "koks_without_mars"),
        ("Backgammon", "Long nardy", "mat_variation"),
    ],
)
def test_bad_files_are_refused_with_a_code(old: str, new: str, code: str) -> None:
    assert old in GOLDEN
    with pytest.raises(InvalidAction) as refused:
        mat.load(GOLDEN.replace(old, new, 1))
    assert refused.value.code == code


def test_refusal_of_a_bad_file_names_the_line() -> None:
    with pytest.raises(InvalidAction, match=r"line 15: "):
        mat.load(GOLDEN.replace("8/3 6/4", "8/3 6/5"))


@pytest.mark.parametrize("export", [{}, {"rules": {}, "actions": []}, {"rules": None}])
def test_anything_but_an_export_is_refused(export: dict[str, Any]) -> None:
    with pytest.raises(InvalidAction):
        mat.dump(export)


def test_long_nardy_is_not_written_as_short_backgammon() -> None:
    with pytest.raises(InvalidAction) as refused:
        mat.dump(random_match(1, Rules.of("long"), ending="unfinished").export())
    assert refused.value.code == "mat_variation"
