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
    """`loss` in thousandths of a point per decision; Elo by single games, 0 = any legal move.

    `_half` is half the 95 % confidence interval.
    """

    loss: float
    loss_half: float
    elo: int
    elo_half: int


@dataclass(frozen=True, slots=True)
class Measured:
    """Measurements of one game: `judge` is "gnubg" or "own"; `decisions`, `games` of each level."""

    judge: str
    decisions: int
    games: int
    levels: Mapping[str, Strength]


def read(text: str) -> Mapping[str, Measured]:
    """Parse the file; keys are variants."""

    def of(found: dict[str, Any]) -> Measured:
        levels = {name: Strength(**each) for name, each in found["levels"].items()}
        return Measured(found["judge"], found["decisions"], found["games"], levels)

    return MappingProxyType({variant: of(found) for variant, found in json.loads(text).items()})


MEASURED = read(FILE.read_text(encoding="utf-8"))
