"""The command line in a separate process answers each line of JSON with lines of JSON."""

import json
import subprocess
import sys
from typing import Any

from games.engine.board.position import Position
from games.engine.dice import commitment
from games.engine.formats.json_export import to_export
from games.engine.match.actions import Commit, Opening, Play, ResignMatch, Start
from games.engine.rules import Rules, Variant
from games.engine.sides import Side

NONE = {"white": 0, "black": 0}
SHORT = list(Position.start(Variant.SHORT).white[1:25])
LONG = list(Position.start(Variant.LONG).white[1:25])


def run(*arguments: str, lines: list[Any] = []) -> subprocess.CompletedProcess[str]:  # noqa: B006
    return subprocess.run(
        [sys.executable, "-m", "games.engine", *arguments],
        input="".join(json.dumps(line) + "\n" for line in lines),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def answers_to(command: str, *lines: Any) -> list[dict[str, Any]]:
    done = run(command, lines=list(lines))
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return [json.loads(line) for line in done.stdout.splitlines()]


def standing(**sides: list[int]) -> dict[str, Any]:
    """Return a position in which the checkers that are not on the board are off."""
    off = {side: 15 - sum(points) for side, points in sides.items()}
    return {**sides, "off": off, "bar": NONE}


def on(*points: int) -> list[int]:
    return [points.count(point) for point in range(1, 25)]


def test_openings_of_both_variants_are_answered_with_sorted_distinct_positions() -> None:
    short = {"white": SHORT, "black": SHORT, "off": NONE, "bar": NONE}
    long = {"white": LONG, "black": LONG, "off": NONE}
    first, second = answers_to(
        "legal",
        {"id": "s", "variant": "short", "position": short, "turn": "white", "dice": [3, 1]},
        {
            "id": "l",
            "variant": "long",
            "position": long,
            "turn": "black",
            "dice": [6, 6],
            "first_turn": True,
        },
    )
    assert first["id"] == "s"
    assert first["results"] == sorted(set(first["results"]))
    assert {len(text) for text in first["results"]} == {52}
    # The position after 8/5 6/5.
    assert "0000240200005000000000020000050300005000000000020000" in first["results"]
    # Two checkers leave the head by 24/18 and cannot move on: White's head is on Black's 12.
    assert second == {"id": "l", "results": [f"{'0' * 23}f{'0' * 17}2{'0' * 5}d00"]}


def test_side_that_cannot_enter_gets_only_the_unchanged_position() -> None:
    position = {
        "white": on(*[12] * 14),
        "black": on(6, 6, 5, 5, 4, 4, 3, 3, 2, 2, 1, 1, 14, 14, 14),
        "off": NONE,
        "bar": {"white": 1, "black": 0},
    }
    (answer,) = answers_to(
        "legal",
        {"id": 0, "variant": "short", "position": position, "turn": "white", "dice": [6, 5]},
    )
    counts = [*position["white"], *position["black"], 1, 0, 0, 0]
    assert answer == {"id": 0, "results": ["".join(f"{count:x}" for count in counts)]}


def test_points_of_a_win_depend_on_variant_profile_and_switches() -> None:
    far = standing(white=[], black=on(*[24] * 15))
    query = {"id": 1, "variant": "long", "winner": "white", "position": {**far, "white": [0] * 24}}
    chosen: list[tuple[dict[str, Any], str, int]] = [
        ({}, "gammon", 2),
        ({"koks": True}, "backgammon", 3),
        ({"profile": "federation"}, "gammon", 2),
        ({"profile": "manual"}, "gammon", 2),
        ({"profile": "manual", "koks": True}, "backgammon", 3),
        ({"mars": False}, "single", 1),
        ({"mars": False, "koks": True}, "single", 1),
    ]
    answers = answers_to(
        "outcome", *[{**query, "rules": rules} for rules, _kind, _points in chosen]
    )
    assert answers == [{"id": 1, "kind": kind, "points": points} for _, kind, points in chosen]
    (short,) = answers_to("outcome", {**query, "variant": "short"})
    assert short == {"id": 1, "kind": "backgammon", "points": 3}


def test_replay_gives_each_position_of_an_export_and_its_result() -> None:
    log = [
        Commit(at_ms=0, hash=commitment(bytes(32))),
        Start(at_ms=1, game=1),
        Opening(at_ms=1, white=3, black=1),
        Play(at_ms=9, side=Side.WHITE, text="8/5 6/5"),
        ResignMatch(at_ms=12, side=Side.BLACK),
    ]
    rules = Rules.of("short", length=3)
    seats = {"white": {"kind": "guest"}, "black": {"kind": "bot"}}
    export = to_export(
        match_id="AbCdEf123456", rules=rules, seats=seats, created_at="2026", actions=log
    )
    start, played, result = answers_to("replay", export)
    assert (start["n"], played["n"]) == (2, 4)
    assert start["position"] == Position.start(Variant.SHORT).to_hex(Variant.SHORT)
    assert played["position"] == "0000240200005000000000020000050300005000000000020000"
    assert played["action"] == "9 white play 8/5 6/5"
    assert result["result"]["winner"] == "white"
    assert result["result"]["cause"] == "resign_match"
    assert result["result"]["score"] == {"white": 0, "black": 0}


def test_an_unknown_command_prints_the_usage_on_stderr() -> None:
    for arguments in ([], ["moves"], ["legal", "outcome"]):
        done = run(*arguments)
        assert done.returncode == 2
        assert done.stdout == ""
        assert "legal|outcome|replay" in done.stderr
