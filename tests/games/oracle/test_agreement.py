"""The engine agrees with independent programs: a brute-force generator and GNU Backgammon.

For each variant and each reading (interpretation) of the rules, brute force checks 2,000 positions,
with ``python3 run.py test --long`` 20,000. GNU Backgammon checks 600 positions of short backgammon,
in the long form 2,000. If a fault shows in one of 145 positions, 2,000 positions miss it with a
probability of 10^-6; in the long form, the same holds for a fault that shows in one of 1,450. The
positions are the same in every run.
"""

from __future__ import annotations

import json
import subprocess
import sys
from functools import lru_cache
from typing import Any

import pytest

from tests.games.oracle import brute, gnubg
from tests.games.oracle.positions import first_turns, mixed
from tests.games.oracle.reading import READINGS, engine_results
from tests.support.lengths import length

PART = 2_000  # positions in one test
PARTS = range(length(1, 10))
AGAINST_GNUBG = length(600, 2_000)
CASES = [(variant, reading) for variant in READINGS for reading in READINGS[variant]]


def name_of(value: Any) -> str:
    return "-".join(value.values()) if isinstance(value, dict) else str(value)


def print_count(text: str) -> None:
    """Print a count, which pytest shows with ``-s`` and in the report of a failed test."""
    sys.stdout.write(text + "\n")


def brute_results(query: dict[str, Any]) -> tuple[str, ...]:
    """Return the oracle's answer, computed once for readings that cannot differ for the query.

    Readings of the head rule differ only on a side's first turn.
    """
    rules = dict(query["rules"])
    if not query["first_turn"]:
        rules.pop("head", None)
    return cached_results(json.dumps({**query, "rules": rules}, sort_keys=True))


@lru_cache(maxsize=2 * PART)
def cached_results(query_text: str) -> tuple[str, ...]:
    return tuple(brute.results(json.loads(query_text)))


def differences(queries: list[dict[str, Any]]) -> list[str]:
    """Return a description of each query that the two generators answer differently."""
    found = []
    for query in queries:
        expected, answer = brute_results(query), tuple(engine_results(query))
        if answer != expected:
            missing = sorted(set(expected) - set(answer))
            extra = sorted(set(answer) - set(expected))
            found.append(f"{json.dumps(query)}\n  missing {missing[:3]} extra {extra[:3]}")
    return found


@pytest.mark.parametrize(("variant", "reading"), CASES, ids=name_of)
@pytest.mark.parametrize("part", PARTS)  # the outer loop: readings share cached positions
def test_engine_agrees_with_brute_force(variant: str, reading: dict[str, str], part: int) -> None:
    queries = [{**query, "rules": reading} for query in mixed(variant, PART, seed=part)]
    found = differences(queries)
    print_count(f"{variant} {reading}: {len(queries)} positions, {len(found)} differences")
    assert not found, f"{len(found)} of {len(queries)} differ:\n" + "\n".join(found[:3])


@pytest.mark.parametrize("head", ["effect", "fixed"])
def test_engine_agrees_on_the_first_turns_of_both_sides(head: str) -> None:
    queries = [{**query, "rules": {"head": head}} for query in first_turns()]
    found = differences(queries)
    print_count(f"first turns, head {head}: {len(queries)} positions, {len(found)} differences")
    assert len(queries) > 900
    assert not found, "\n".join(found[:3])


@pytest.mark.parametrize(("variant", "reading"), CASES, ids=name_of)
def test_command_line_agrees_with_brute_force(variant: str, reading: dict[str, str]) -> None:
    queries = [
        {**query, "id": number, "rules": reading}
        for number, query in enumerate(mixed(variant, 200, seed=99))
    ]
    lines = "".join(json.dumps(query) + "\n" for query in queries)
    run = subprocess.run(
        [sys.executable, "-m", "games.engine", "legal"],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    answers = [json.loads(line) for line in run.stdout.splitlines()]
    assert len(answers) == len(queries)
    for query, answer in zip(queries, answers, strict=True):
        assert answer == {"id": query["id"], "results": brute.results(query)}


@pytest.mark.gnubg
def test_engine_and_brute_force_agree_with_gnu_backgammon() -> None:
    queries = list(mixed("short", AGAINST_GNUBG, seed=2026))
    answers = gnubg.ask([moves_request(query) for query in queries])
    found, compared = [], 0
    for query, answer in zip(queries, answers, strict=True):
        assert "error" not in answer, answer
        if not answer["shown"]:
            continue  # gnubg refuses positions in which neither side can enter
        compared += 1
        expected = gnubg_results(query, answer["moves"])
        if brute.results(query) != expected or engine_results(query) != expected:
            found.append(json.dumps(query))
    print_count(f"gnubg: {compared} of {len(queries)} positions compared, {len(found)} differences")
    assert compared > 0.95 * len(queries)
    assert not found, "\n".join(found[:3])


def moves_request(query: dict[str, Any]) -> dict[str, Any]:
    mover = query["turn"]
    return {
        "op": "moves",
        "mover": gnubg.gnubg_side(brute.read_side(query["position"], mover)),
        "enemy": gnubg.gnubg_side(brute.read_side(query["position"], brute.opponent(mover))),
        "dice": query["dice"],
    }


def gnubg_results(query: dict[str, Any], moves: list[str]) -> list[str]:
    """Return the positions that gnubg's moves lead to; no moves mean a pass."""
    mover = query["turn"]
    own = brute.read_side(query["position"], mover)
    enemy = brute.read_side(query["position"], brute.opponent(mover))
    reached = set()
    for text in moves or [""]:
        after = brute.Board(*gnubg.after_move(own, enemy, text), hitters=[], left_head=0)
        reached.add(brute.write_position(after, mover, "short"))
    return sorted(reached)
