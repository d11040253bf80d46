"""Strength of the opponents, as measured and written by `tests/bench/ai_levels.py`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType
from typing import Any

FILE = resources.files("games.ai.bots") / "measured.json"


@dataclass(frozen=True, slots=True)
class Strength:
    """Measured strength of a level.

    `loss` is in thousandths of a point per decision; `elo` is by single games, 0 = random legal
    moves. `loss_half` and `elo_half` are half of the 95 % confidence interval.
    """

    loss: float
    loss_half: float
    elo: int
    elo_half: int


@dataclass(frozen=True, slots=True)
class Measured:
    """Measurements in one variant by a judge, "gnubg" or "own".

    `decisions` is the number judged for each level; `games` the fewest played between two levels.
    """

    judge: str
    decisions: int
    games: int
    levels: Mapping[str, Strength]


def read(text: str) -> Mapping[str, Measured]:
    """Parse the text of FILE; return the measurements by variant."""

    def of(found: dict[str, Any]) -> Measured:
        levels = {name: Strength(**each) for name, each in found["levels"].items()}
        return Measured(found["judge"], found["decisions"], found["games"], levels)

    return MappingProxyType({variant: of(found) for variant, found in json.loads(text).items()})


MEASURED = read(FILE.read_text(encoding="utf-8"))
