"""Moves of one checker, whole plays, and their text.

A play is written move by move in the order made, one item for each die, in the mover's own
numbering: `13/7 8/7*`, `bar/20 24/18`, `6/off`; `-` is a pass. `play_from_text` also accepts the
usual short forms: `24/18*/13` (the same checker goes on) and `8/7(2)` (the same move twice).
"""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from games.engine.board.variants import BAR, OFF
from games.engine.errors import InvalidAction

PASS_TEXT = "-"
MAX_MOVES = 4

_ITEM = re.compile(
    r"(?P<path>(?:bar|2[0-5]|1[0-9]|[1-9])\*?(?:/(?:bar|off|2[0-4]|1[0-9]|[0-9])\*?)+)"
    r"(?:\((?P<times>[2-4])\))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """One checker moved by one die, in the mover's own numbering (25 = bar, 0 = off)."""

    source: int
    target: int
    die: int
    is_hit: bool = False

    def to_text(self) -> str:
        return f"{point_to_text(self.source)}/{point_to_text(self.target)}{'*' * self.is_hit}"


Play = tuple[Move, ...]


class WrittenMove(NamedTuple):
    """A move as written, without its die: `legal.match_play` finds the dice."""

    source: int
    target: int
    is_hit: bool


def point_to_text(point: int) -> str:
    if point == BAR:
        return "bar"
    return "off" if point == OFF else str(point)


def play_to_text(play: Play) -> str:
    return " ".join([move.to_text() for move in play]) or PASS_TEXT


def play_from_text(text: str) -> tuple[WrittenMove, ...]:
    """Return the moves as written; raise `InvalidAction("play_text")` when they cannot be read.

    >>> play_from_text("bar/20 6/off")[0]
    WrittenMove(source=25, target=20, is_hit=False)
    """
    items = text.split(maxsplit=MAX_MOVES)  # a fifth item, with all that follows, is refused below
    if items == [PASS_TEXT]:
        return ()
    moves = [move for item in items for move in _item_moves(item)]
    if not 1 <= len(moves) <= MAX_MOVES:
        raise InvalidAction("play_text", "a play has one to four moves, '-' is a pass")
    return tuple(moves)


def _item_moves(item: str) -> list[WrittenMove]:
    match = _ITEM.fullmatch(item)
    if match is None:
        raise InvalidAction("play_text", f"cannot read {item[:20]!r}")
    stops = match["path"].lower().split("/")
    points = [_point(stop) for stop in stops]
    if any(low >= high for high, low in pairwise(points)):
        raise InvalidAction("play_text", f"{item!r} does not go forward")
    chain = [
        WrittenMove(source, target, stop.endswith("*"))
        for (source, target), stop in zip(pairwise(points), stops[1:], strict=True)
    ]
    return chain * int(match["times"] or 1)


def _point(text: str) -> int:
    name = text.rstrip("*")
    if name == "bar":
        return BAR
    return OFF if name == "off" else int(name)
