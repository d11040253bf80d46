"""One checker's move, a whole play, and their text.

A play is written move by move in the order made, one item per die, in the mover's own
numbering: `13/7 8/7*`, `bar/20 24/18`, `6/off`; `-` is a pass. Readers also take the short
forms people type: `24/18*/13` (one checker on), `8/7(2)` (the same move again).
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from games.engine.errors import InvalidAction
from games.engine.variants import BAR, OFF

PASS_TEXT = "-"
MAX_MOVES = 4

_ITEM = re.compile(
    r"(?P<path>(?:bar|2[0-5]|1[0-9]|[1-9])\*?(?:/(?:bar|off|2[0-4]|1[0-9]|[0-9])\*?)+)"
    r"(?:\((?P<times>[2-4])\))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """One checker, one die; places in the mover's own numbering (25 = bar, 0 = off)."""

    source: int
    target: int
    die: int
    is_hit: bool = False

    def to_text(self) -> str:
        return f"{place_to_text(self.source)}/{place_to_text(self.target)}{'*' * self.is_hit}"


Play = tuple[Move, ...]


class Step(NamedTuple):
    """A move as written: the die is not in the text, `legal.match_play` works it out."""

    source: int
    target: int
    is_hit: bool


def place_to_text(place: int) -> str:
    if place == BAR:
        return "bar"
    return "off" if place == OFF else str(place)


def play_to_text(play: Play) -> str:
    return " ".join([move.to_text() for move in play]) or PASS_TEXT


def play_from_text(text: str) -> tuple[Step, ...]:
    """The steps as written; raises `InvalidAction("play_text")` when they cannot be read."""
    items = text.split()
    if items == [PASS_TEXT]:
        return ()
    steps = [step for item in items for step in _item_steps(item)]
    if not 1 <= len(steps) <= MAX_MOVES:
        raise InvalidAction("play_text", "a play has one to four moves, '-' is a pass")
    return tuple(steps)


def _item_steps(item: str) -> list[Step]:
    match = _ITEM.fullmatch(item)
    if match is None:
        raise InvalidAction("play_text", f"cannot read {item[:20]!r}")
    stops = match["path"].lower().split("/")
    places = [_place(stop) for stop in stops]
    if any(low >= high for high, low in pairwise(places)):
        raise InvalidAction("play_text", f"{item!r} does not go forward")
    chain = [
        Step(source, target, stop.endswith("*"))
        for (source, target), stop in zip(pairwise(places), stops[1:], strict=True)
    ]
    return chain * int(match["times"] or 1)


def _place(text: str) -> int:
    name = text.rstrip("*")
    if name == "bar":
        return BAR
    return OFF if name == "off" else int(name)
