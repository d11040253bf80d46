"""The readings (interpretations) of the rules, and the engine's answers to oracle queries."""

from __future__ import annotations

from typing import Any

from games.engine.board.legal import turn_graph
from games.engine.board.position import Position
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from tests.games.oracle.brute import read_side

READINGS = {
    "short": [{"hit": "free"}, {"hit": "no_hit_and_run"}],
    "long": [
        {"head": head, "block": block}
        for head in ("effect", "fixed")
        for block in ("every_move", "end_of_turn")
    ],
}


def engine_results(query: dict[str, Any]) -> list[str]:
    """Return the ``results`` that ``python -m games.engine legal`` should print for the query."""
    variant = Variant(query["variant"])
    position = Position(
        white=tuple(read_side(query["position"], "white")),
        black=tuple(read_side(query["position"], "black")),
    )
    a, b = query["dice"]
    rules = Rules.of(variant, **query.get("rules", {}))
    graph = turn_graph(position, Side(query["turn"]), (a, b), rules, query["first_turn"])
    return sorted(reached.to_hex(variant) for reached in graph.results())
