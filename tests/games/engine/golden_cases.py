"""Read the golden files: positions with their legal plays, derived by hand.

One JSON object per line: `name`; `position` (`Position.to_text`), `turn`, `dice`, optionally
`first_turn` and `rules`; then any of
`plays`       one play for each distinct result, all of them ("-" = pass);
`legal`       written plays that are accepted (there may be others);
`illegal`     [written play, reason, points];
`unfinished`  written plays with too few moves;
`refused`     [moves played, source, target or null, reason, points]: the answer to "why not?".
Plays are in the mover's own numbering.
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
    def roll(self) -> tuple[Position, Side, tuple[int, int], Rules, bool]:
        position = Position.from_text(self.data["position"], self.variant)
        first, second = self.data["dice"]
        rules = Rules.of(self.variant, **self.data.get("rules", {}))
        return position, self.side, (first, second), rules, self.data.get("first_turn", False)

    @property
    def side(self) -> Side:
        return Side(self.data["turn"])

    def list(self, key: str) -> list[Any]:
        return self.data.get(key, [])


def golden_cases(variant: Variant) -> list[Golden]:
    text = (FOLDER / f"{variant.value}.jsonl").read_text(encoding="utf-8")
    return [Golden(variant, json.loads(line)) for line in text.splitlines()]


def naive_result(position: Position, side: Side, play: str) -> Position:
    """Move the checkers of a written play by hand; a star sends a blot to the bar."""
    own, enemy = list(position.of(side)), list(position.of(side.other))
    for step in play_from_text(play):
        own[step.source] -= 1
        own[step.target] += 1
        if step.is_hit:
            enemy[25 - step.target] -= 1
            enemy[25] += 1
    sides = tuple(own), tuple(enemy)
    return Position(*sides) if side is Side.WHITE else Position(*sides[::-1])
