"""The rules pages' claims about diagrams hold in the engine; the printed program checks dice."""

import hashlib
import io
import json
import runpy
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from django.conf import settings

from games.engine.board.legal import legal_plays, match_play, turn_graph
from games.engine.board.moves import play_from_text
from games.engine.board.position import Position
from games.engine.board.win_kind import win_kind
from games.engine.errors import IllegalAction
from games.engine.match.state import Phase
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from games.exports.match_file import export_of
from games.rulebook.diagrams import EXAMPLES
from tests.games.factories import Sitting
from tests.games.rulebook.rules_claims import (
    FIRST_PLAYER_HEAD_ROLLS,
    PLAYS,
    SECOND_PLAYER_HEAD_ROLLS,
    SOMETIMES_HEAD_ROLLS,
    WINS,
)

ALL_EXAMPLES = [
    pytest.param(variant, example, id=f"{variant}-{name}")
    for variant, examples in EXAMPLES.items()
    for name, example in examples.items()
]
ALL_ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


def refusal(variant, example, play, overrides):
    """Return the engine's reason against a play; None if it is legal."""
    graph = turn_graph(
        Position.from_text(example.position, variant),
        Side.WHITE,
        example.dice,
        Rules.of(variant, **overrides),
        example.is_first_turn,
    )
    try:
        match_play(graph, play_from_text(play))
    except IllegalAction as error:
        return error.reason
    return None


@pytest.mark.parametrize(("variant", "example"), ALL_EXAMPLES)
def test_positions_have_fifteen_checkers_a_side(variant, example):
    position = Position.from_text(example.position, variant)
    assert sum(position.white) == sum(position.black) == 15


@pytest.mark.parametrize(("variant", "name"), PLAYS)
def test_plays_are_legal_or_refused_as_the_prose_says(variant, name):
    for check in PLAYS[variant, name]:
        found = refusal(variant, EXAMPLES[variant][name], check.play, check.rules)
        assert found == check.reason, (check.play, dict(check.rules))


# Diagrams with arrows.
DRAWN = [case for case in ALL_EXAMPLES if case.values[1].good or case.values[1].bad]


@pytest.mark.parametrize(("variant", "example"), DRAWN)
def test_arrows_show_a_legal_play_and_a_forbidden_move(variant, example):
    assert not example.good or refusal(variant, example, example.good, {}) is None
    if not example.bad:
        return
    graph = turn_graph(
        Position.from_text(example.position, variant),
        Side.WHITE,
        example.dice,
        Rules.of(variant),
        example.is_first_turn,
    )
    bad = play_from_text(example.bad)[0]
    # The forbidden move is illegal as the first move, or after the first move of the legal play.
    steps = {(move.source, move.target): node for move, node in graph.edges[0]}
    if (bad.source, bad.target) in steps:
        good = play_from_text(example.good)[0]
        after = graph.edges[steps[good.source, good.target]]
        assert all((move.source, move.target) != (bad.source, bad.target) for move, _ in after)


@pytest.mark.parametrize(("variant", "name"), WINS)
def test_wins_have_the_kind_that_the_prose_says(variant, name):
    position = Position.from_text(EXAMPLES[variant][name].position, variant)
    for check in WINS[variant, name]:
        rules = Rules.of(variant, **check.rules)
        assert win_kind(position, Side.WHITE, rules) is check.kind, dict(check.rules)


def may_take_two(roll, enemy=None):
    """Return whether some play of this roll on a first turn takes two checkers off the head."""
    head = Position.start(Variant.LONG).white
    position = Position(head, enemy or head)
    rules = Rules.of(Variant.LONG)
    results = legal_plays(position, Side.WHITE, roll, rules, first_turn=True)
    return any(result.white[24] == 13 for result in results)


def test_first_player_may_take_two_off_the_head_with_three_rolls():
    assert {roll for roll in ALL_ROLLS if may_take_two(roll)} == FIRST_PLAYER_HEAD_ROLLS


@pytest.mark.parametrize("first_roll", ALL_ROLLS, ids=str)
def test_second_player_may_take_two_off_the_head_with_the_listed_rolls(first_roll):
    start = Position.start(Variant.LONG)
    rules = Rules.of(Variant.LONG)
    answers = [
        {roll for roll in ALL_ROLLS if may_take_two(roll, position.white)}
        for position in legal_plays(start, Side.WHITE, first_roll, rules, first_turn=True)
    ]
    always = FIRST_PLAYER_HEAD_ROLLS | SECOND_PLAYER_HEAD_ROLLS.get(first_roll, frozenset())
    assert set.intersection(*answers) == always
    sometimes = SOMETIMES_HEAD_ROLLS.get(first_roll, frozenset())
    assert set.union(*answers) == always | sometimes


def test_5_5_after_3_3_takes_two_off_the_head_only_against_a_checker_on_21():
    start = Position.start(Variant.LONG)
    rules = Rules.of(Variant.LONG)
    for position in legal_plays(start, Side.WHITE, (3, 3), rules, first_turn=True):
        assert may_take_two((5, 5), position.white) == (position.white[21] > 0)


def write_printed_program(tmp_path: Path, export: dict, monkeypatch) -> str:
    source = settings.BASE_DIR / "templates" / "rules" / "check.py.txt"
    program = tmp_path / "check.py"
    program.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    match = tmp_path / "match.json"
    match.write_text(json.dumps(export), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["check.py", str(match)])
    return str(program)


def run_printed_program(tmp_path: Path, export: dict, monkeypatch) -> str:
    program = write_printed_program(tmp_path, export, monkeypatch)
    output = io.StringIO()
    with redirect_stdout(output):
        runpy.run_path(program)
    return output.getvalue()


def sha256_of(hex: str) -> str:
    return hashlib.sha256(bytes.fromhex(hex)).hexdigest()


# A test vector of the dice scheme: secret 00 01 .. 1f and two entropies.
SECRET = bytes(range(32))
WHITE, BLACK = "00112233445566778899aabbccddeeff", "привет".encode().hex()
VECTOR = {
    "id": "AbCdEf123456",
    "dice": {
        "secret": SECRET.hex(),
        "commitment": hashlib.sha256(SECRET).hexdigest(),
        "white_entropy": WHITE,
        "black_entropy": BLACK,
    },
    "actions": [
        {"kind": "entropy_hash", "at_ms": 0, "side": "white", "hash": sha256_of("00")},
        {"kind": "entropy_hash", "at_ms": 0, "side": "white", "hash": sha256_of(WHITE)},
        {"kind": "entropy_hash", "at_ms": 0, "side": "black", "hash": sha256_of(BLACK)},
        {"kind": "entropy", "at_ms": 0, "side": "white", "hex": WHITE},
        {"kind": "entropy", "at_ms": 0, "side": "black", "hex": BLACK},
        {"kind": "start", "at_ms": 0, "game": 1},
        {"kind": "opening", "at_ms": 0, "white": 1, "black": 2},
        {"kind": "roll", "at_ms": 1, "side": "white", "d1": 2, "d2": 2},
        {"kind": "play", "at_ms": 2, "side": "white", "text": "-"},
        {"kind": "roll", "at_ms": 3, "side": "black", "d1": 5, "d2": 4},
        {"kind": "start", "at_ms": 4, "game": 2},
        {"kind": "opening", "at_ms": 4, "white": 5, "black": 4},
        {"kind": "roll", "at_ms": 5, "side": "white", "d1": 2, "d2": 6},
    ],
}


def test_printed_program_recomputes_the_test_vector(tmp_path, monkeypatch):
    lines = run_printed_program(tmp_path, VECTOR, monkeypatch).splitlines()
    assert lines == [
        "1 1 1 2 ok",
        "1 2 2 2 ok",
        "1 3 5 4 ok",
        "2 1 5 4 ok",
        "2 2 2 6 ok",
    ]


def test_printed_program_reports_a_changed_roll_and_fails(tmp_path, monkeypatch, capsys):
    changed = json.loads(json.dumps(VECTOR))
    roll = next(action for action in changed["actions"] if action["kind"] == "roll")
    roll["d2"] = 6
    program = write_printed_program(tmp_path, changed, monkeypatch)
    with pytest.raises(SystemExit) as end:
        runpy.run_path(program)
    assert end.value.code == 1
    assert capsys.readouterr().out.splitlines()[1] == "1 2 2 6 DIFFERENT"


@pytest.mark.parametrize("number", ["", "00"])
def test_printed_program_refuses_a_number_that_was_not_promised(tmp_path, monkeypatch, number):
    changed = json.loads(json.dumps(VECTOR))
    changed["dice"]["white_entropy"] = number
    with pytest.raises(SystemExit, match="number of white is not the one that was promised"):
        run_printed_program(tmp_path, changed, monkeypatch)


def test_printed_program_refuses_another_secret(tmp_path, monkeypatch):
    changed = json.loads(json.dumps(VECTOR))
    changed["dice"]["secret"] = bytes(32).hex()
    with pytest.raises(SystemExit, match="not the one that was promised"):
        run_printed_program(tmp_path, changed, monkeypatch)


@pytest.mark.portable
@pytest.mark.django_db
@pytest.mark.parametrize("variant", list(Variant))
def test_printed_program_confirms_an_exported_match(tmp_path, monkeypatch, variant):
    sitting = Sitting(Rules.of(variant, length=3)).sit().start_game().play_until(Phase.FINISHED)
    export = export_of(sitting.match)
    lines = run_printed_program(tmp_path, export, monkeypatch).splitlines()
    rolls = [action for action in export["actions"] if action["kind"] in ("opening", "roll")]
    assert len(lines) == len(rolls) > 30
    assert all(line.endswith(" ok") for line in lines)
