"""Lessons in which a player tries the controls on fixed positions.

White has a roll to play, in most lessons after a play by Black that the page shows. The page's
script (practice-board.js) knows no rules: its legal plays come from here. A lesson is named for the
control that the player tries in it; tests check that its situations allow that.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from games.engine.board.legal import match_play, turn_graph
from games.engine.board.moves import play_from_text
from games.engine.board.position import Position
from games.engine.board.turn_search import Dice
from games.engine.match.public_view import graph_view
from games.engine.rules import Rules, Variant
from games.engine.sides import Side


@dataclass(frozen=True, slots=True)
class OpponentPlay:
    """Black's roll and play before White's turn."""

    dice: Dice
    play: str


@dataclass(frozen=True, slots=True)
class Situation:
    """A position, Black's roll and play in it if there is one, then White's dice."""

    position: str
    dice: Dice
    opponent: OpponentPlay | None = None


@dataclass(frozen=True, slots=True)
class Lesson:
    situations: tuple[Situation, ...]
    variant: Variant = Variant.SHORT


_START = Position.start(Variant.SHORT).to_text()
_OPENING = Situation(_START, (6, 1), OpponentPlay((3, 1), "8/5 6/5"))
_DOUBLET = Situation(
    "W:24x2,13x5,8x3,6x5 B:24x2,13x4,10x1,8x3,6x5", (3, 3), OpponentPlay((4, 2), "8/4 6/4")
)
_HIT = Situation(
    "W:24x2,13x4,10x1,8x3,6x5 B:24x2,13x5,8x3,6x5", (5, 2), OpponentPlay((6, 3), "24/15*")
)
# All home: the 5 has one move, bearing off; the 1 leaves a choice.
_RACE = Situation("W:5x2,4x2,3x2,2x3,1x2,off4 B:6x4,5x3,4x3,3x2,2x1,off2", (5, 1))
# Only the highest checkers can be borne off.
_LAST = Situation("W:4x3,3x3,2x2,1x1,off6 B:6x2,5x3,4x3,3x2,off5", (6, 5))
# One checker enters, the other cannot: a single legal play.
_BAR = Situation(
    "W:13x5,8x3,6x5,bar2 B:13x3,8x3,6x2,5x2,4x2,3x1,2x2", (4, 1), OpponentPlay((5, 2), "8/3 13/11")
)
_LONG = Situation(
    "W:24x12,18x1,15x1,11x1 B:24x12,19x1,16x1,10x1", (6, 4), OpponentPlay((5, 2), "19/14 16/14")
)

LESSONS: Mapping[str, Lesson] = {
    "dice": Lesson((_OPENING, _HIT)),
    "tap": Lesson((_OPENING, _DOUBLET)),
    "double-click": Lesson((_OPENING, _RACE)),
    "bear-off": Lesson((_RACE, _LAST)),
    "end-of-turn": Lesson((_OPENING, _BAR)),
    "speed": Lesson((_HIT, _DOUBLET)),
    "home-short": Lesson((_OPENING,)),
    "home-long": Lesson((_LONG,), Variant.LONG),
    "looks": Lesson((_OPENING, _RACE)),
    "sound": Lesson((_HIT, _OPENING)),
}


@cache
def lesson_view(name: str) -> dict[str, Any]:
    """Return a lesson for the page. Raises `KeyError` for an unknown name."""
    lesson = LESSONS[name]
    rules = Rules.of(lesson.variant)
    return {
        "variant": lesson.variant.value,
        "situations": [_situation_view(each, rules) for each in lesson.situations],
    }


def _situation_view(situation: Situation, rules: Rules) -> dict[str, Any]:
    position = Position.from_text(situation.position, rules.variant)
    opponent, after = None, position
    if situation.opponent is not None:
        after = _after(position, situation.opponent, rules)
        opponent = {"dice": list(situation.opponent.dice), "play": situation.opponent.play}
    graph = turn_graph(after, Side.WHITE, situation.dice, rules)
    return {
        "before": _counts(position),
        "opponent": opponent,
        "after": _counts(after),
        "dice": list(situation.dice),
        "plays": graph_view(graph, rules.variant, Side.WHITE),
    }


def _after(position: Position, opponent: OpponentPlay, rules: Rules) -> Position:
    graph = turn_graph(position, Side.BLACK, opponent.dice, rules)
    _play, after = match_play(graph, play_from_text(opponent.play))
    return after


def _counts(position: Position) -> dict[str, list[int]]:
    return {"white": list(position.white), "black": list(position.black)}
