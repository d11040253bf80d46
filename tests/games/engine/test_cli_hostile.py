"""The command line gives exactly one answer to each line, even a hostile one."""

import io
import json
import subprocess
import sys
from typing import Any

import pytest

from games.engine.cli import legal, outcome, replay

START = [0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]
NONE = {"white": 0, "black": 0}
QUERY: dict[str, Any] = {
    "id": 1,
    "variant": "short",
    "position": {"white": START, "black": START, "off": NONE, "bar": NONE},
    "turn": "white",
    "dice": [3, 1],
}
EXPORT: dict[str, Any] = {
    "format": "5stars-gammon-match",
    "version": 1,
    "id": "AbCdEf123456",
    "variant": "short",
    "rules": {"variant": "short"},
    "seats": {"white": {}, "black": {}},
    "created_at": "2026-11-21T12:00:00Z",
    "actions": [],
}


def answers(module: Any, *lines: str) -> list[dict[str, Any]]:
    out = io.StringIO()
    module.main(lines, out)
    return [json.loads(line, parse_constant=pytest.fail) for line in out.getvalue().splitlines()]


def changed(**fields: Any) -> str:
    return json.dumps({**QUERY, **fields})


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
@pytest.mark.parametrize("module", [legal, outcome, replay])
def test_nan_and_infinity_are_not_echoed_as_json(module: Any, number: str) -> None:
    (answer,) = answers(module, json.dumps(QUERY).replace('"id": 1', f'"id": {number}'))
    assert answer == {"error": {"code": "unreadable", "message": "the line is not JSON in UTF-8"}}


@pytest.mark.parametrize("depth", [100, 1_000, 10_000, 100_000])
def test_a_nested_id_gets_one_answer(depth: int) -> None:
    line = json.dumps(QUERY).replace('"id": 1', f'"id": {"[" * depth}{"]" * depth}')
    out = io.StringIO()
    legal.main([line, json.dumps(QUERY)], out)
    _nested, answered = out.getvalue().splitlines()
    assert json.loads(answered)["id"] == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"dice": [True, 1]},
        {"dice": [3.0, 1]},
        {"dice": ["3", 1]},
        {"dice": [7, 1]},
        {"dice": [3]},
        {"dice": None},
        {"turn": "White"},
        {"variant": ["short"]},
        {"first_turn": 1},
        {"rules": []},
        {"rules": {"hit": True}},
        {"rules": {"hit": None}},
        {"rules": {"head": 1.5}},
        {"position": {**QUERY["position"], "white": "0" * 24}},
        {"position": {**QUERY["position"], "white": [*START, 0]}},
        {"position": {**QUERY["position"], "white": [10**30, *START[1:]]}},
        {"position": {**QUERY["position"], "white": [-1, *START[1:]]}},
        {"position": {**QUERY["position"], "bar": {"white": False, "black": 0}}},
        {"position": {**QUERY["position"], "off": 0}},
        {"position": {}},
    ],
    ids=str,
)
def test_wrong_type_or_number_is_an_error_of_its_line_only(fields: dict[str, Any]) -> None:
    first, second = answers(legal, changed(**fields), json.dumps(QUERY))
    assert first["id"] == 1
    assert first["error"]["code"]
    assert "results" not in first
    assert len(second["results"]) == 16


@pytest.mark.parametrize(
    "rules",
    [
        {"variant": "short", "cls": 1},
        {"variant": "short", "length": "3", "delay_ms": 1000},
        {"variant": "short", "length": [3], "delay_ms": 1000},
        {"variant": "short", "version": True},
        {"variant": "short", "version": 1.0},
        {"variant": None},
        [],
    ],
    ids=str,
)
def test_unreadable_rules_of_an_export_are_an_error_of_its_line_only(rules: Any) -> None:
    first, second = answers(replay, json.dumps({**EXPORT, "rules": rules}), json.dumps(EXPORT))
    assert first["error"]["code"].startswith("rules")
    assert second["id"] == EXPORT["id"]
    assert "result" in second


def test_every_line_of_a_damaged_file_gets_one_answer() -> None:
    good = json.dumps(QUERY).encode()
    spoiled = [
        b"",
        b"  ",
        b"\xff\xfe",
        b'{"id":"\xff"}',
        b"null",
        b"[" * 50_000,
        b"{",
        b'{"id":\r7}',
    ]
    crlf = good + b"\r"
    run = subprocess.run(
        [sys.executable, "-m", "games.engine", "legal"],
        input=b"\n".join([b"\xef\xbb\xbf" + good, *spoiled, crlf]) + b"\n",
        capture_output=True,
        check=True,
        timeout=60,
    )
    printed = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(printed) == len(spoiled) + 2
    assert [("results" in answer) for answer in printed] == [True, *[False] * len(spoiled), True]
    assert printed[-2]["id"] == 7


def test_the_federation_profile_sets_its_head_rule() -> None:
    """After White's 2-1, only head="effect" lets Black's 5-5 take two checkers off the head."""
    white = [0] * 20 + [1, 0, 0, 14]
    query = {
        **QUERY,
        "variant": "long",
        "position": {"white": white, "black": [0] * 23 + [15], "off": NONE},
        "turn": "black",
        "dice": [5, 5],
        "first_turn": True,
    }
    chosen = [
        {"profile": "federation"},
        {"head": "fixed"},
        {"profile": "federation", "head": "effect"},
        {},
    ]
    replies = answers(legal, *[json.dumps({**query, "rules": rules}) for rules in chosen])
    federation, fixed, overridden, classic = [answer["results"] for answer in replies]
    assert federation == fixed
    assert overridden == classic
    assert fixed != classic
