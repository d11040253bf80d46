"""The board diagrams of the rules pages: one set of positions for all three languages.

Each example lists the claims of the prose, which tests check against the engine: legal plays,
forbidden plays with their reason, and what wins count. All plays are White's and all numbers are
White's own; the prose uses them in the same way.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.engine.board.position import Position
from games.engine.board.win_kind import WinKind
from games.engine.errors import Reason
from games.engine.rules import Variant


@dataclass(frozen=True, slots=True)
class PlayCheck:
    """A play of White's that the prose calls legal (`reason` None) or forbidden.

    `rules` are the overrides of the classic rules under which that holds.
    """

    play: str
    reason: Reason | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WinCheck:
    """What a win of White's counts in the position under the given rules."""

    kind: WinKind
    rules: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Example:
    """One diagram. `good` and `bad` are plays drawn as arrows; `routes` draws both paths."""

    position: str
    dice: tuple[int, int] | None = None
    first_turn: bool = False
    good: str = ""
    bad: str = ""
    routes: bool = False
    plays: tuple[PlayCheck, ...] = ()
    wins: tuple[WinCheck, ...] = ()


_FINISHED = "W:off15 B:"

SHORT_EXAMPLES: Mapping[str, Example] = {
    "start": Example(Position.start(Variant.SHORT).to_text()),
    "direction": Example(Position.start(Variant.SHORT).to_text(), routes=True),
    "larger": Example(
        "W:12x1,4x5,3x5,2x4 B:24x2,8x5,6x5,5x3",
        dice=(6, 5),
        good="12/6",
        bad="12/7",
        plays=(PlayCheck("12/6"), PlayCheck("12/7", Reason.MUST_USE_LARGER)),
    ),
    "hit": Example(
        "W:24x2,13x5,8x3,6x5 B:24x2,13x4,11x1,8x3,6x4,5x1",
        dice=(4, 1),
        good="24/20* 6/5",
        plays=(PlayCheck("24/20* 6/5"), PlayCheck("24/20*/19", Reason.POINT_CLOSED)),
    ),
    "enter": Example(
        "W:bar1,24x1,13x5,8x3,6x5 B:24x2,13x4,8x3,6x4,5x2",
        dice=(6, 3),
        good="bar/22 13/7",
        bad="bar/19",
        plays=(
            PlayCheck("bar/22 13/7"),
            PlayCheck("13/7 8/5", Reason.BAR_FIRST),
            PlayCheck("bar/19 13/10", Reason.POINT_CLOSED),
        ),
    ),
    "hit_and_run": Example(
        "W:24x2,13x5,8x3,6x3,5x2 B:24x1,18x1,13x5,8x3,6x5",
        dice=(2, 1),
        good="8/7*/5",
        plays=(
            PlayCheck("8/7*/5"),
            PlayCheck("8/7*/5", Reason.HIT_AND_RUN, {"hit": "no_hit_and_run"}),
            PlayCheck("8/7* 6/4", rules={"hit": "no_hit_and_run"}),
        ),
    ),
    "bear_off": Example(
        "W:5x2,3x4,2x4,1x3,off2 B:8x3,6x4,5x4,4x4",
        dice=(4, 3),
        good="5/1 3/off",
        plays=(
            PlayCheck("5/1 3/off"),
            PlayCheck("5/1 5/2"),
            PlayCheck("3/off 3/off", Reason.HIGHER_CHECKER),
        ),
    ),
    "bear_off_gap": Example(
        "W:4x3,3x4,2x3,1x3,off2 B:8x3,6x4,5x4,4x4",
        dice=(6, 5),
        good="4/off 4/off",
        bad="3/off",
        plays=(PlayCheck("4/off 4/off"), PlayCheck("4/off 3/off", Reason.HIGHER_CHECKER)),
    ),
    "mars": Example(
        _FINISHED + "10x2,6x5,5x4,3x4",
        wins=(
            WinCheck(WinKind.GAMMON),
            WinCheck(WinKind.SINGLE, {"mars": False}),
            WinCheck(WinKind.GAMMON, {"profile": "manual"}),
        ),
    ),
    "koks": Example(
        _FINISHED + "20x1,6x6,5x4,3x4",
        wins=(
            WinCheck(WinKind.BACKGAMMON),
            WinCheck(WinKind.GAMMON, {"koks": False}),
            WinCheck(WinKind.SINGLE, {"mars": False}),
        ),
    ),
}

LONG_EXAMPLES: Mapping[str, Example] = {
    "start": Example(Position.start(Variant.LONG).to_text()),
    "direction": Example(Position.start(Variant.LONG).to_text(), routes=True),
    "head": Example(
        Position.start(Variant.LONG).to_text(),
        dice=(5, 2),
        first_turn=True,
        good="24/19/17",
        bad="24/22",
        plays=(
            PlayCheck("24/19/17"),
            PlayCheck("24/19 24/22", Reason.HEAD_TAKEN),
        ),
    ),
    "head_sixes": Example(
        Position.start(Variant.LONG).to_text(),
        dice=(6, 6),
        first_turn=True,
        good="24/18 24/18",
        bad="18/12",
        plays=(
            PlayCheck("24/18(2)"),
            PlayCheck("24/18(3)", Reason.HEAD_TAKEN),
            PlayCheck("24/18/12", Reason.POINT_CLOSED),
        ),
    ),
    "head_second": Example(
        "W:24x15 B:24x14,4x1",
        dice=(6, 2),
        first_turn=True,
        good="24/18 24/22",
        bad="18/16",
        plays=(
            PlayCheck("24/18 24/22"),
            PlayCheck("24/18/16", Reason.POINT_CLOSED),
            PlayCheck("24/18 24/22", Reason.HEAD_TAKEN, {"head": "fixed"}),
        ),
    ),
    "block_forbidden": Example(
        "W:24x5,13x2,9x2,8x2,7x2,6x1,5x1 B:24x10,23x3,22x2",
        dice=(3, 1),
        good="24/21/20",
        bad="7/4",
        plays=(PlayCheck("24/21/20"), PlayCheck("7/4 24/23", Reason.BLOCK)),
    ),
    "block_allowed": Example(
        "W:24x5,13x2,9x2,8x2,7x2,6x1,5x1 B:24x10,23x3,22x1,10x1",
        dice=(3, 1),
        good="7/4 24/23",
        plays=(PlayCheck("7/4 24/23"),),
    ),
    "block_own_edge": Example(
        "W:24x3,23x2,22x2,14x2,6x1,5x1,3x2,2x2 B:24x9,22x3,20x3",
        dice=(4, 1),
        bad="5/1",
        plays=(PlayCheck("24/20 6/5"), PlayCheck("5/1 6/5", Reason.BLOCK)),
    ),
    "block_enemy_edge": Example(
        "W:17x2,15x2,14x2,13x2,12x3,11x2,4x2 B:21x3,20x4,19x3,18x3,14x2",
        dice=(2, 1),
        good="12/10 4/3",
        plays=(PlayCheck("12/10 4/3"),),
    ),
    "bear_off": Example(
        "W:5x2,3x4,2x4,1x3,off2 B:6x5,5x5,4x5",
        dice=(4, 3),
        good="5/1 3/off",
        plays=(
            PlayCheck("5/1 3/off"),
            PlayCheck("5/1 5/2"),
            PlayCheck("3/off 3/off", Reason.HIGHER_CHECKER),
        ),
    ),
    "bear_off_gap": Example(
        "W:4x3,3x4,2x3,1x3,off2 B:6x5,5x5,4x5",
        dice=(6, 5),
        good="4/off 4/off",
        bad="3/off",
        plays=(PlayCheck("4/off 4/off"), PlayCheck("4/off 3/off", Reason.HIGHER_CHECKER)),
    ),
    "mars": Example(
        _FINISHED + "10x3,6x6,3x6",
        wins=(
            WinCheck(WinKind.GAMMON),
            WinCheck(WinKind.GAMMON, {"koks": True}),
            WinCheck(WinKind.SINGLE, {"mars": False}),
        ),
    ),
    "koks": Example(
        _FINISHED + "20x1,9x4,6x5,3x5",
        wins=(
            WinCheck(WinKind.GAMMON),
            WinCheck(WinKind.BACKGAMMON, {"koks": True}),
            WinCheck(WinKind.GAMMON, {"profile": "federation"}),
        ),
    ),
    "koks_federation": Example(
        _FINISHED + "15x1,9x4,6x5,3x5",
        wins=(
            WinCheck(WinKind.BACKGAMMON, {"profile": "federation"}),
            WinCheck(WinKind.GAMMON, {"koks": True}),
        ),
    ),
}

EXAMPLES: Mapping[Variant, Mapping[str, Example]] = {
    Variant.SHORT: SHORT_EXAMPLES,
    Variant.LONG: LONG_EXAMPLES,
}

# Long, head rule by effect: the first player's rolls that let a second checker leave the head,
# and the second player's additional ones after each first roll. After 3-3 they depend on how it
# was played. Found by exhaustive search and checked by a test.
FIRST_PLAYER_HEAD_ROLLS = frozenset({(3, 3), (4, 4), (6, 6)})
SECOND_PLAYER_HEAD_ROLLS: Mapping[tuple[int, int], frozenset[tuple[int, int]]] = {
    (2, 1): frozenset({(5, 5)}),
    (2, 2): frozenset({(5, 5)}),
    (4, 4): frozenset({(5, 5)}),
    (5, 3): frozenset({(5, 5)}),
    (6, 2): frozenset({(5, 5)}),
    (5, 5): frozenset({(2, 2), (5, 3), (6, 2)}),
}
SOMETIMES_HEAD_ROLLS: Mapping[tuple[int, int], frozenset[tuple[int, int]]] = {
    (3, 3): frozenset({(5, 5)}),
}
