"""The board diagrams of the rules pages: one set of positions for all three languages.

All plays are White's, in White's own numbers, as in the prose; a position counts each side's
checkers from that side's own view. Tests check the prose's claims about each position against the
engine (tests/games/rulebook/rules_claims.py).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from games.engine.board.position import Position
from games.engine.rules import Variant


@dataclass(frozen=True, slots=True)
class Example:
    """A diagram; `good` and `bad` plays become arrows, `has_routes` adds both sides' routes."""

    position: str
    dice: tuple[int, int] | None = None
    is_first_turn: bool = False
    good: str = ""
    bad: str = ""
    has_routes: bool = False


_FINISHED = "W:off15 B:"

SHORT_EXAMPLES: Mapping[str, Example] = {
    "start": Example(Position.start(Variant.SHORT).to_text()),
    "direction": Example(Position.start(Variant.SHORT).to_text(), has_routes=True),
    "larger": Example(
        "W:12x1,4x5,3x5,2x4 B:24x2,8x5,6x5,5x3", dice=(6, 5), good="12/6", bad="12/7"
    ),
    "hit": Example(
        "W:24x2,13x5,8x3,6x5 B:24x2,13x4,11x1,8x3,6x4,5x1", dice=(4, 1), good="24/20* 6/5"
    ),
    "enter": Example(
        "W:bar1,24x1,13x5,8x3,6x5 B:24x2,13x4,8x3,6x4,5x2",
        dice=(6, 3),
        good="bar/22 13/7",
        bad="bar/19",
    ),
    "hit_and_run": Example(
        "W:24x2,13x5,8x3,6x3,5x2 B:24x1,18x1,13x5,8x3,6x5", dice=(2, 1), good="8/7*/5"
    ),
    "bear_off": Example("W:5x2,3x4,2x4,1x3,off2 B:8x3,6x4,5x4,4x4", dice=(4, 3), good="5/1 3/off"),
    "bear_off_gap": Example(
        "W:4x3,3x4,2x3,1x3,off2 B:8x3,6x4,5x4,4x4", dice=(6, 5), good="4/off 4/off", bad="3/off"
    ),
    "mars": Example(_FINISHED + "10x2,6x5,5x4,3x4"),
    "koks": Example(_FINISHED + "20x1,6x6,5x4,3x4"),
}

LONG_EXAMPLES: Mapping[str, Example] = {
    "start": Example(Position.start(Variant.LONG).to_text()),
    "direction": Example(Position.start(Variant.LONG).to_text(), has_routes=True),
    "head": Example(
        Position.start(Variant.LONG).to_text(),
        dice=(5, 2),
        is_first_turn=True,
        good="24/19/17",
        bad="24/22",
    ),
    "head_sixes": Example(
        Position.start(Variant.LONG).to_text(),
        dice=(6, 6),
        is_first_turn=True,
        good="24/18 24/18",
        bad="18/12",
    ),
    "head_second": Example(
        "W:24x15 B:24x14,4x1", dice=(6, 2), is_first_turn=True, good="24/18 24/22", bad="18/16"
    ),
    "block_forbidden": Example(
        "W:24x5,13x2,9x2,8x2,7x2,6x1,5x1 B:24x10,23x3,22x2", dice=(3, 1), good="24/21/20", bad="7/4"
    ),
    "block_allowed": Example(
        "W:24x5,13x2,9x2,8x2,7x2,6x1,5x1 B:24x10,23x3,22x1,10x1", dice=(3, 1), good="7/4 24/23"
    ),
    "block_own_edge": Example(
        "W:24x3,23x2,22x2,14x2,6x1,5x1,3x2,2x2 B:24x9,22x3,20x3", dice=(4, 1), bad="5/1"
    ),
    "block_enemy_edge": Example(
        "W:17x2,15x2,14x2,13x2,12x3,11x2,4x2 B:21x3,20x4,19x3,18x3,14x2",
        dice=(2, 1),
        good="12/10 4/3",
    ),
    "bear_off": Example("W:5x2,3x4,2x4,1x3,off2 B:6x5,5x5,4x5", dice=(4, 3), good="5/1 3/off"),
    "bear_off_gap": Example(
        "W:4x3,3x4,2x3,1x3,off2 B:6x5,5x5,4x5", dice=(6, 5), good="4/off 4/off", bad="3/off"
    ),
    "mars": Example(_FINISHED + "10x3,6x6,3x6"),
    "koks": Example(_FINISHED + "20x1,9x4,6x5,3x5"),
    "koks_federation": Example(_FINISHED + "15x1,9x4,6x5,3x5"),
}

EXAMPLES: Mapping[Variant, Mapping[str, Example]] = {
    Variant.SHORT: SHORT_EXAMPLES,
    Variant.LONG: LONG_EXAMPLES,
}
