"""The engine agrees in every profile with independent code on the kinds of win."""

from __future__ import annotations

import io
import itertools
import json
import random
from typing import Any

import pytest

from games.engine.board.position import Position
from games.engine.board.win_kind import KIND_POINTS, win_kind
from games.engine.cli.outcome import main
from games.engine.rules import Rules
from games.engine.sides import Side
from tests.games.oracle.brute import read_side
from tests.games.oracle.outcome import outcome
from tests.games.oracle.positions import empty, fill
from tests.support.lengths import length

# If a fault shows in one of 430 positions, 6,000 positions miss it with a probability of 10^-6.
COUNT = length(6_000, 20_000)
PROFILES = (None, "classic", "federation", "manual")
SWITCHES = (None, True, False)
READINGS = list(itertools.product(PROFILES, SWITCHES, SWITCHES))


def won_positions(variant: str, count: int) -> list[dict[str, Any]]:
    """Return won positions with random losing sides, often near the limits of the rules."""
    rng = random.Random(f"outcome {variant}")
    return [won_position(variant, rng) for _ in range(count)]


def won_position(variant: str, rng: random.Random) -> dict[str, Any]:
    loser, winner = empty(), empty()
    winner[0] = 15
    loser[0] = rng.choice([0, 0, 0, 1, 7, 14])
    if variant == "short":
        loser[25] = min(rng.choice([0, 0, 0, 1, 2]), 15 - loser[0])
    region = rng.choice([(1, 6), (1, 7), (1, 12), (1, 18), (13, 18), (7, 18), (1, 24), (18, 19)])
    fill(loser, list(range(region[0], region[1] + 1)), rng)
    side = rng.choice(["white", "black"])
    other = "black" if side == "white" else "white"
    position: dict[str, Any] = {side: winner[1:25], other: loser[1:25]}
    position["off"] = {side: 15, other: loser[0]}
    if variant == "short":
        position["bar"] = {side: 0, other: loser[25]}
    return {"variant": variant, "position": position, "winner": side}


@pytest.mark.parametrize("variant", ["short", "long"])
def test_kinds_of_win_agree_in_every_reading(variant: str) -> None:
    found = 0
    kinds = set()
    for number, query in enumerate(won_positions(variant, COUNT)):
        profile, mars, koks = READINGS[number % len(READINGS)]
        rules = named(profile=profile, mars=mars, koks=koks)
        expected = outcome({**query, "rules": rules})
        if mars is False:
            rules["koks"] = False  # `Rules` refuses koks without mars; the command line does not
        position = Position(
            white=tuple(read_side(query["position"], "white")),
            black=tuple(read_side(query["position"], "black")),
        )
        kind = win_kind(position, Side(query["winner"]), Rules.of(variant, **rules))
        kinds.add(kind)
        found += {"kind": kind.value, "points": KIND_POINTS[kind]} != expected
    assert found == 0
    assert len(kinds) == 3


@pytest.mark.parametrize("variant", ["short", "long"])
def test_command_line_agrees_with_independent_code_on_kinds_of_win(variant: str) -> None:
    queries = []
    for number, query in enumerate(won_positions(variant, 10 * len(READINGS))):
        profile, mars, koks = READINGS[number % len(READINGS)]
        rules = named(profile=profile, mars=mars, koks=koks)
        queries.append({"id": number, **query, "rules": rules})
        if not rules:
            del queries[-1]["rules"]
    out = io.StringIO()
    main([json.dumps(query) for query in queries], out)
    answers = [json.loads(line) for line in out.getvalue().splitlines()]
    assert answers == [{"id": query["id"], **outcome(query)} for query in queries]


def named(**chosen: Any) -> dict[str, Any]:
    return {name: value for name, value in chosen.items() if value is not None}
