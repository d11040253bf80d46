"""The numbers of a draw, its commitment, and its file."""

import ast
import copy
import hashlib
import json
import random
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from types import ModuleType

import pytest
from django.core.management import CommandError, call_command

from tests.tournaments.checkers import CHECKERS, is_right
from tests.tournaments.played import file_of, play_out, secrets_of
from tournaments.draw import DrawStream, commitment, new_secret
from tournaments.exports.draw_file import BadDrawFile, check_draw
from tournaments.formats import FORMATS

SECRET = bytes(range(32))


def test_the_numbers_are_those_that_the_readme_describes() -> None:
    """OpenSSL's command line computed the values by "Numbers" of tournaments/README.md."""
    stream = DrawStream(SECRET, "AbCdEf123456", 1)
    assert [stream.below(2**32) for _ in range(3)] == [0x6900F5AA, 0x97F98688, 0x1E755911]
    assert commitment(SECRET) == hashlib.sha256(SECRET).hexdigest()


def test_rounds_and_tournaments_have_numbers_of_their_own() -> None:
    streams = [("A", 1), ("A", 2), ("B", 1), ("A1", 1), ("A", 11)]
    firsts = {DrawStream(SECRET, public_id, number).below(2**32) for public_id, number in streams}
    assert len(firsts) == len(streams)


def test_numbers_from_an_incomplete_range_are_skipped() -> None:
    bound = 2**31 + 1  # every word from 2**31 + 1 on has to be skipped
    words = DrawStream(SECRET, "A", 1)
    kept = [word for word in (words.below(2**32) for _ in range(200)) if word < bound]
    stream = DrawStream(SECRET, "A", 1)
    assert [stream.below(bound) for _ in kept] == kept
    assert 0 < len(kept) < 200


@pytest.mark.parametrize("bound", [0, 2**32 + 1])
def test_a_bound_out_of_range_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match="bound"):
        DrawStream(SECRET, "A", 1).below(bound)


def test_a_short_secret_is_refused() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        DrawStream(SECRET[:31], "A", 1)


def test_new_secrets_differ() -> None:
    assert new_secret() != new_secret()
    assert len(new_secret()) == 32


@pytest.fixture
def swiss_file() -> dict:
    secret = next(secrets_of("swiss file"))
    return file_of("SWISS", 9, secret, play_out("SWISS", 9, secret, random.Random(1)))


@pytest.mark.parametrize("kind", FORMATS)
def test_a_changed_pairing_is_found(kind: str) -> None:
    secret = next(secrets_of(kind))
    data = file_of(kind, 8, secret, play_out(kind, 8, secret, random.Random(2)))
    assert not check_draw(data).faults
    assert is_right(data)
    one, two = data["rounds"][0][:2]
    one["first"], two["first"] = two["first"], one["first"]
    one["winner"], two["winner"] = one["second"], two["second"]
    assert check_draw(data).faults[0].text.startswith("round 1: written")
    assert not is_right(data)


@pytest.mark.parametrize(
    "checker", dict.fromkeys(CHECKERS.values()), ids=lambda each: each.__name__
)
def test_a_checker_has_at_most_forty_lines_and_shares_no_code(checker: ModuleType) -> None:
    text = Path(checker.__file__).read_text()
    tree = ast.parse(text)
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
    imported = {alias.name for node in statements for alias in node.names}
    assert imported <= sys.stdlib_module_names
    assert not any(isinstance(node, ast.ImportFrom) for node in ast.walk(tree))
    _, *lines = [line for line in text.splitlines() if line]  # without the docstring
    assert len(lines) <= 40


def test_a_changed_secret_is_found(swiss_file: dict) -> None:
    swiss_file["secret"] = "00" * 32
    assert "committed" in check_draw(swiss_file).faults[0].text
    assert not is_right(swiss_file)


def test_a_round_too_many_is_found(swiss_file: dict) -> None:
    swiss_file["rounds"].append(copy.deepcopy(swiss_file["rounds"][0]))
    assert check_draw(swiss_file).faults[0].text.endswith("drawn no round")


def test_a_file_without_the_last_round_is_right_and_does_not_show_the_end(swiss_file: dict) -> None:
    assert check_draw(swiss_file).is_over
    swiss_file["rounds"].pop()
    check = check_draw(swiss_file)
    assert (check.rounds, check.is_over, check.faults) == (3, False, ())


@pytest.mark.parametrize("kind", FORMATS)
def test_a_file_with_an_undecided_pairing_is_right_and_does_not_show_the_end(kind: str) -> None:
    secret = next(secrets_of(kind))
    data = file_of(kind, 8, secret, play_out(kind, 8, secret, random.Random(3)))
    assert check_draw(data).is_over
    data["rounds"][-1][0] |= {"winner": None, "points": [0, 0]}
    check = check_draw(data)
    assert (check.rounds, check.is_over, check.faults) == (len(data["rounds"]), False, ())


def test_the_draws_that_the_script_tests_check_are_right() -> None:
    """The files are those that tests/js/dice/draw.test.js checks."""
    files = json.loads(Path("tests/js/dice/draws.json").read_text())
    assert {data["kind"] for data in files} == set(FORMATS)
    for data in files:
        assert is_right(data)
        assert not check_draw(data).faults


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"secret": "zz"},
        {"secret": "00"},
        {"entrants": ["one"]},
        {"kind": "LEAGUE"},
        {"kind": ["SWISS"]},
        {"id": "имя"},
        {"id": "A" * 65_536},
        {"rounds": 7},
        {"rounds": [[]]},
        {"rounds": [[{"first": 1}]]},
        {
            "rounds": [
                [{"first": 1, "second": 99, "winner": 1, "points": [1, 0], "walkover": False}]
            ]
        },
        {"rounds": [[{"first": 1, "second": 1, "winner": 1, "points": [1, 0], "walkover": False}]]},
        {"rounds": [[{"first": 1, "second": 2, "winner": 3, "points": [1, 0], "walkover": False}]]},
        {"rounds": [[{"first": 1, "second": 2, "winner": 1, "points": [1], "walkover": False}]]},
    ],
)
def test_a_malformed_file_is_refused(swiss_file: dict, change: dict) -> None:
    with pytest.raises(BadDrawFile):
        check_draw(swiss_file | change)


@pytest.mark.parametrize("data", [None, [], "text", 7])
def test_other_json_is_refused(data: object) -> None:
    with pytest.raises(BadDrawFile):
        check_draw(data)


def test_the_command_confirms_a_right_draw(swiss_file: dict, tmp_path: Path) -> None:
    path, out = tmp_path / "draw.json", StringIO()
    path.write_text(json.dumps(swiss_file))
    call_command("verifydraw", str(path), stdout=out)
    assert "All 4 rounds are what was promised." in out.getvalue()
    assert "The tournament is over." in out.getvalue()


@pytest.mark.parametrize(
    "cut",
    [
        lambda rounds: rounds.pop(),  # all who were left may have dropped out
        lambda rounds: rounds[-1][0].update(winner=None),  # staff may have voided the tournament
    ],
    ids=["a round is missing", "a pairing is undecided"],
)
def test_the_command_says_nothing_of_an_end_that_the_file_does_not_show(
    swiss_file: dict, tmp_path: Path, cut: Callable[[list], object]
) -> None:
    path, out = tmp_path / "draw.json", StringIO()
    cut(swiss_file["rounds"])
    path.write_text(json.dumps(swiss_file))
    call_command("verifydraw", str(path), stdout=out)
    promised = f"All {len(swiss_file['rounds'])} rounds are what was promised."
    assert out.getvalue().splitlines() == [promised]


def test_the_command_fails_on_a_wrong_draw(swiss_file: dict, tmp_path: Path) -> None:
    path, err = tmp_path / "draw.json", StringIO()
    path.write_text(json.dumps(swiss_file | {"id": "another"}))
    with pytest.raises(CommandError, match="NOT what was promised"):
        call_command("verifydraw", str(path), stderr=err)
    assert "round 1" in err.getvalue()


@pytest.mark.parametrize("content", ["", "{", "[1]", "[" * 100_000])
def test_the_command_fails_on_an_unreadable_or_missing_file(tmp_path: Path, content: str) -> None:
    path = tmp_path / "draw.json"
    path.write_text(content)
    with pytest.raises(CommandError):
        call_command("verifydraw", str(path))
    with pytest.raises(CommandError, match="cannot read"):
        call_command("verifydraw", str(tmp_path / "missing.json"))
