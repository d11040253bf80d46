"""Long nardy as text: golden sample, the documented example, round trips, bad texts."""

from __future__ import annotations

import inspect
import textwrap
from pathlib import Path
from typing import Any

import pytest

from games.engine.errors import InvalidAction
from games.engine.formats import long_text
from games.engine.match.action_codec import action_from_dict, action_to_text
from games.engine.match.apply import fold
from games.engine.match.state import MatchState
from games.engine.rules import Rules
from tests.games.engine.formats.matches import ENDINGS, random_match

GOLDEN_FOLDER = Path(__file__).with_name("golden")
GOLDEN = (GOLDEN_FOLDER / "long.txt").read_text(encoding="utf-8")
NOT_WRITTEN = ("commit", "entropy_hash", "entropy", "next", "flag")


def folded(export: dict[str, Any]) -> MatchState:
    actions = [action_from_dict(action) for action in export["actions"]]
    return fold(Rules.from_dict(export["rules"]), actions)


def written(export: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the actions that the text contains; those in `NOT_WRITTEN` are omitted."""
    return [action for action in export["actions"] if action["kind"] not in NOT_WRITTEN]


@pytest.mark.parametrize("seed", range(28))
def test_random_matches_round_trip_through_the_text(seed: int) -> None:
    length, ending = [1, 3, 7, 2][seed % 4], ENDINGS[seed % 7]
    rules = Rules.of("long", length=length, cube=length > 1, delay_ms=20_000, koks=seed % 2 == 0)
    match = random_match(seed, rules, ending=ending)
    text = long_text.dump(match.export())
    export = long_text.load(text)
    assert long_text.dump(export) == text
    assert export["rules"] == rules.to_dict()
    # Every action that the text contains is read back in order; only the times are lost.
    assert written(export) == written(match.export())
    state = folded(export)
    assert (state.score, state.outcome) == (match.state.score, match.state.outcome)
    assert state.position == match.state.position


@pytest.mark.parametrize(
    "changes",
    [
        {"profile": "federation"},
        {"profile": "manual", "koks": True},
        {"mars": False, "block": "end_of_turn"},
        {"head": "fixed", "crawford": False},
        {"parity": True},
        {"length": None, "cube": True, "jacoby": True, "beaver": True, "auto_doubles": 2},
    ],
    ids=str,
)
def test_matches_under_other_rules_round_trip_through_the_text(changes: dict[str, Any]) -> None:
    for seed in range(4):
        rules = Rules.of("long", **{"length": 5, **changes})
        match = random_match(seed, rules, cubes=0.15, resigns=0.02, most_actions=600)
        text = long_text.dump(match.export())
        export = long_text.load(text)
        assert long_text.dump(export) == text
        assert written(export) == written(match.export())
        assert export["rules"] == rules.to_dict()


def test_drawn_games_are_written() -> None:
    rules = Rules.of("long", length=1, parity=True)
    matches = (random_match(seed, rules, resigns=0) for seed in range(200))
    drawn = next(match for match in matches if match.last_result.winner is None)
    text = long_text.dump(drawn.export())
    assert "Draws 1 point" in text
    assert written(long_text.load(text)) == written(drawn.export())


def test_golden_text_matches_its_actions() -> None:
    export = long_text.load(GOLDEN)
    lines = [action_to_text(action_from_dict(action)) for action in export["actions"]]
    assert lines == (GOLDEN_FOLDER / "long.log").read_text(encoding="utf-8").splitlines()
    assert long_text.dump(export) == GOLDEN


def test_example_in_the_documentation_can_be_read() -> None:
    lines = (inspect.getdoc(long_text) or "").splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("    ; [Site"))
    last = next(number for number, line in enumerate(lines) if line.startswith("- White"))
    state = folded(long_text.load(textwrap.dedent("\n".join(lines[first:last]))))
    assert state.score == (0, 4)
    assert state.outcome is not None


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("0 point match", "point match", "longtext"),
        (" Opening 3-6\n", "", "longtext_opening"),
        (" Opening 3-6", " Opening 7-6", "longtext_cell"),
        ("24/20 20/19", "24/20 24/23", "longtext_illegal"),
        ("Beavers => 4", "Beavers => 8", "longtext_cube"),
        ("Refuses", "Wonders", "longtext_cell"),
        ("65: 24/18 19/14", "64: 24/18 18/14", "longtext_roll"),
        ("  1)  Resigns => 1                 Accepts", "  1)  Resigns => 4", "longtext_unreadable"),
        ("Long nardy", "Backgammon", "longtext_variation"),
        ("boris : 4", "boris : 3", "longtext_score"),
    ],
)
def test_bad_texts_are_refused_with_a_code(old: str, new: str, code: str) -> None:
    assert old in GOLDEN
    with pytest.raises(InvalidAction) as refused:
        long_text.load(GOLDEN.replace(old, new, 1))
    assert refused.value.code == code


@pytest.mark.parametrize("word", ["flag nobody", "void outage purple"])
def test_an_unreadable_termination_is_refused(word: str) -> None:
    text = GOLDEN.replace("; [Rules", f'; [Termination "{word}"]\n; [Rules')
    with pytest.raises(InvalidAction) as refused:
        long_text.load(text)
    assert refused.value.code == "longtext_termination"
