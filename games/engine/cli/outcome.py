"""`python -m games.engine outcome`: the worth of a won game."""

from collections.abc import Iterable
from typing import TextIO

from games.engine.board.win_kind import KIND_POINTS, win_kind
from games.engine.cli.json_lines import (
    Answer,
    Query,
    answer_lines,
    read_position,
    read_rules,
    read_side,
    read_variant,
)


def main(lines: Iterable[str], out: TextIO) -> None:
    answer_lines(lines, out, answer)


def answer(query: Query) -> Answer:
    """Return `{"kind", "points"}` by the rules of the query, without the cube."""
    variant = read_variant(query)
    position = read_position(query, variant)
    rules = read_rules(query, variant, ("profile", "mars", "koks"))
    kind = win_kind(position, read_side(query, "winner"), rules)
    return {"kind": kind.value, "points": KIND_POINTS[kind]}
