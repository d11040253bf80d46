"""Read the golden files: positions with their legal plays, derived by hand.

A line is a JSON object with `name`, `position` (see `Position.to_text`), `turn`, `dice`, optionally
`first_turn` and `rules`, and any of these:
`plays`       one play for each distinct result ("-" = pass); there are no other results;
`legal`       written plays that are accepted; there may be others;
`illegal`     [written play, reason, points];
`unfinished`  written plays that have too few moves;
`refused`     [moves played, source, target or null, reason, points]: the answer to "why not?".
Plays use the mover's numbering.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games.engine.board.moves import play_from_text
from games.engine.board.position import Position
from games.engine.rules import Rules, Variant
from games.engine.sides import Side

FOLDER = Path(__file__).parent / "golden"


@dataclass(frozen=True)
class Golden:
    variant: Variant
    data: dict[str, Any]

    @property
    def arguments(self) -> tuple[Position, Side, tuple[int, int], Rules, bool]:
        """Return the arguments of `turn_graph`."""
        position = Position.from_text(self.data["position"], self.variant)
        first, second = self.data["dice"]
        rules = Rules.of(self.variant, **self.data.get("rules", {}))
        return position, self.side, (first, second), rules, self.data.get("first_turn", False)

    @property
    def side(self) -> Side:
        return Side(self.data["turn"])


def golden_cases(variant: Variant) -> list[Golden]:
    text = (FOLDER / f"{variant.value}.jsonl").read_text(encoding="utf-8")
    return [Golden(variant, json.loads(line)) for line in text.splitlines()]


def naive_result(position: Position, side: Side, play: str) -> Position:
    """Return the position after a written play; only the parser of the engine is used."""
    own, enemy = list(position.of(side)), list(position.of(side.other))
    for step in play_from_text(play):
        own[step.source] -= 1
        own[step.target] += 1
        if step.is_hit:
            enemy[25 - step.target] -= 1
            enemy[25] += 1
    sides = tuple(own), tuple(enemy)
    return Position(*sides) if side is Side.WHITE else Position(*sides[::-1])
