"""Random positions of short backgammon with cube and score, for the tests of identifiers."""

from __future__ import annotations

import random
from typing import Any

from games.engine.board.position import Position
from games.engine.formats.identifier_fields import IdentifierFields
from games.engine.sides import Pair, Side
from tests.games.oracle.brute import read_side
from tests.games.oracle.positions import mixed


def random_fields(count: int, seed: int) -> list[IdentifierFields]:
    """Return positions before a roll, a play or an answer, in matches and money sessions."""
    rng = random.Random(seed)
    return [_fields_at(query, rng) for query in mixed("short", count, seed)]


def _fields_at(query: dict[str, Any], rng: random.Random) -> IdentifierFields:
    """Add a random cube, score and offer to a position of the oracle."""
    length = rng.choice([None, 1, 3, 5, 7, 25])
    highest = 40 if length is None else length - 1
    score = Pair(rng.randint(0, highest), rng.randint(0, highest))
    crawford = length not in (None, 1) and (length - 1) in score and rng.random() < 0.5
    exponent = 0 if crawford or length == 1 else rng.randint(0, 6)
    turn = Side(query["turn"])
    owner = rng.choice([Side.WHITE, Side.BLACK]) if exponent else None
    kind = rng.choice(["roll", "play", "play", "double", "resign"])
    if kind == "double" and (crawford or length == 1 or owner is turn.other):
        kind = "roll"
    return IdentifierFields(
        position=Position(
            tuple(read_side(query["position"], "white")),
            tuple(read_side(query["position"], "black")),
        ),
        turn=turn,
        dice=(query["dice"][0], query["dice"][1]) if kind == "play" else None,
        cube_value=1 << exponent,
        cube_owner=owner,
        length=length,
        score=score,
        crawford=crawford,
        jacoby=length is None and rng.random() < 0.5,
        is_doubled=kind == "double",
        resigned=rng.randint(1, 3) if kind == "resign" else 0,
    )
