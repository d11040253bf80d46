"""The commands `legal` and `outcome` in a separate process, with one JSON object per line."""

import json
import subprocess
import sys
from typing import Any

import pytest

OPENING = [0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]
HEAD = [0] * 23 + [15]
NONE = {"white": 0, "black": 0}
SHORT = {"white": OPENING, "black": OPENING, "off": NONE, "bar": NONE}
LONG = {"white": HEAD, "black": HEAD, "off": NONE}
ASK_SHORT = {"id": 7, "variant": "short", "position": SHORT, "turn": "white", "dice": [3, 1]}
ASK_LONG = {"id": "l", "variant": "long", "position": LONG, "turn": "black", "dice": [6, 6]}
WON = {
    "white": [0] * 24,
    "black": OPENING,
    "off": {"white": 15, "black": 0},
    "bar": NONE,
}
ASK_OUTCOME = {"id": "o", "variant": "short", "position": WON, "winner": "white"}


def ask(command: str, *lines: Any) -> list[dict[str, Any]]:
    """Run a command and return its answers; lines that are not bytes are sent as JSON."""
    sent = b"".join(
        (line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines
    )
    done = subprocess.run(
        [sys.executable, "-m", "games.engine", command], input=sent, capture_output=True, check=True
    )
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_legal_gives_sorted_distinct_hex_positions() -> None:
    (answer,) = ask("legal", ASK_SHORT)
    assert list(answer) == ["id", "results"]
    assert answer["id"] == 7
    assert len(answer["results"]) == len(set(answer["results"])) == 16
    assert answer["results"] == sorted(answer["results"])
    # after 8/5 6/5: White's points 1 to 24, Black's, both bars, both sides' checkers off
    made_point = "000024020000500000000002" + "000005030000500000000002" + "0000"
    assert made_point in answer["results"]


def test_legal_uses_first_turn_in_long_nardy() -> None:
    queries = [
        {**ASK_LONG, "first_turn": True},
        {**ASK_LONG, "first_turn": True, "rules": {"head": "fixed"}},
        ASK_LONG,
    ]
    two = "0" * 23 + "f" + "0" * 17 + "2" + "0" * 5 + "d" + "00"
    one = "0" * 23 + "f" + "0" * 17 + "1" + "0" * 5 + "e" + "00"
    assert [answer["results"] for answer in ask("legal", *queries)] == [[two], [two], [one]]


def test_legal_answers_a_pass_with_the_unchanged_position() -> None:
    closed = [3, 2, 2, 2, 3, 3] + [0] * 18
    position = {
        "white": [0] * 5 + [14] + [0] * 18,
        "black": closed,
        "off": NONE,
        "bar": {"white": 1, "black": 0},
    }
    (answer,) = ask("legal", {**ASK_SHORT, "position": position})
    assert answer["results"] == ["00000e" + "0" * 18 + "322233" + "0" * 18 + "1000"]


def test_unknown_keys_are_ignored_and_bar_may_be_missing() -> None:
    position = {key: SHORT[key] for key in ("white", "black", "off")}
    (answer,) = ask("legal", {**ASK_SHORT, "position": position, "note": "x", "rules": {"z": 1}})
    assert len(answer["results"]) == 16


def test_a_bad_line_gets_an_error_and_the_next_is_answered() -> None:
    answers = ask("legal", b"{", b"", b"\xff\xfe", b"[" * 100_000, [1], {"id": "x"}, ASK_SHORT)
    assert [answer.get("error", {}).get("code") for answer in answers] == [
        *["unreadable"] * 5,
        "variant",
        None,
    ]
    assert "id" not in answers[0]
    assert answers[5]["id"] == "x"
    assert all(answer["error"]["message"] for answer in answers[:6])


def with_white(counts: list[Any]) -> dict[str, Any]:
    return {**ASK_SHORT, "position": {**SHORT, "white": counts}}


BAD_QUERIES: dict[str, Any] = {
    "variant": {**ASK_SHORT, "variant": "medium"},
    "turn": {**ASK_SHORT, "turn": "red"},
    "dice": [
        {**ASK_SHORT, "dice": dice}
        for dice in ([7, 1], [0, 1], [1], [1, 2, 3], [True, 1], ["1", 2], [1.0, 2], None)
    ],
    "first_turn": {**ASK_LONG, "first_turn": 1},
    "rules": [{**ASK_SHORT, "rules": rules} for rules in ([], "x", {"hit": 1})],
    "rules_hit": {**ASK_SHORT, "rules": {"hit": "never"}},
    "rules_head": {**ASK_LONG, "rules": {"head": True}},
    "rules_block": {**ASK_LONG, "rules": {"block": "sometimes"}},
    "position": {**ASK_SHORT, "position": [1]},
    "position_points": [with_white([1]), with_white([0] * 25), {**ASK_SHORT, "position": {}}],
    "position_off": {**ASK_SHORT, "position": {**SHORT, "off": 0}},
    "position_bar": {**ASK_LONG, "position": {**LONG, "bar": {"white": 1, "black": 0}}},
    "position_count": [
        with_white([0] * 24),
        with_white([16, *[0] * 22, -1]),
        with_white([True, *[0] * 22, 14]),
        with_white([1.5, *[0] * 22, 13.5]),
        with_white(["15", *[0] * 23]),
        with_white([10**30, *[0] * 23]),
    ],
    "position_shared": {**ASK_SHORT, "position": {**SHORT, "white": [15, *[0] * 23]}},
}
ASKED = [
    (code, query)
    for code, queries in BAD_QUERIES.items()
    for query in (queries if isinstance(queries, list) else [queries])
]


def test_each_fault_of_a_query_has_its_code() -> None:
    answers = ask("legal", *[query for _code, query in ASKED])
    codes = [answer["error"]["code"] for answer in answers]
    assert codes == [code for code, _query in ASKED]
    assert [answer["id"] for answer in answers] == [query["id"] for _code, query in ASKED]


@pytest.mark.parametrize(
    ("rules", "kind", "points"),
    [
        (None, "backgammon", 3),
        ({"koks": False}, "gammon", 2),
        ({"mars": False}, "single", 1),
        ({"mars": False, "koks": True}, "single", 1),
        ({"profile": "manual"}, "backgammon", 3),
    ],
)
def test_outcome_depends_on_the_switches(rules: Any, kind: str, points: int) -> None:
    query = {**ASK_OUTCOME, "rules": rules}
    assert ask("outcome", query) == [{"id": "o", "kind": kind, "points": points}]


def test_outcome_refuses_queries_with_faults() -> None:
    queries = [
        {**ASK_OUTCOME, "winner": None},
        {**ASK_OUTCOME, "rules": {"profile": "best"}},
        {**ASK_OUTCOME, "rules": {"mars": "yes"}},
        {**ASK_OUTCOME, "rules": {"koks": 1}},
    ]
    codes = [answer["error"]["code"] for answer in ask("outcome", *queries)]
    assert codes == ["winner", "rules_profile", "rules_mars", "rules"]


def test_each_answer_is_sent_before_the_next_question() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "games.engine", "legal"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(3):
            process.stdin.write(json.dumps({**ASK_SHORT, "id": number}) + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["id"] == number
        process.stdin.close()
        assert process.wait(timeout=120) == 0


def test_an_unknown_command_prints_the_usage() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "games.engine", "win"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "legal|outcome|replay" in done.stderr
