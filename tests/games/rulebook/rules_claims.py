"""Statements of the rules pages about their diagrams, by variant and name of the diagram.

All plays are White's, and points are numbered from White's view, as in games/rulebook/diagrams.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.engine.board.win_kind import WinKind
from games.engine.errors import Reason
from games.engine.rules import Variant


@dataclass(frozen=True, slots=True)
class PlayCheck:
    """A play by White that the prose calls legal (`reason` None) or forbidden.

    `rules` are the differences from the classic rules for which the prose says so.
    """

    play: str
    reason: Reason | None = None
    rules: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WinCheck:
    """The kind of White's win in the position; `rules` as in `PlayCheck`."""

    kind: WinKind
    rules: Mapping[str, Any] = field(default_factory=dict)


# Bearing off is the same in both variants.
_BEAR_OFF = (
    PlayCheck("5/1 3/off"),
    PlayCheck("5/1 5/2"),
    PlayCheck("3/off 3/off", Reason.HIGHER_CHECKER),
)
_BEAR_OFF_GAP = (
    PlayCheck("4/off 4/off"),
    PlayCheck("4/off 3/off", Reason.HIGHER_CHECKER),
)
PLAYS: Mapping[tuple[Variant, str], tuple[PlayCheck, ...]] = {
    (Variant.SHORT, "larger"): (
        PlayCheck("12/6"),
        PlayCheck("12/7", Reason.MUST_USE_LARGER),
    ),
    (Variant.SHORT, "hit"): (
        PlayCheck("24/20* 6/5"),
        PlayCheck("24/20*/19", Reason.POINT_CLOSED),
    ),
    (Variant.SHORT, "enter"): (
        PlayCheck("bar/22 13/7"),
        PlayCheck("13/7 8/5", Reason.BAR_FIRST),
        PlayCheck("bar/19 13/10", Reason.POINT_CLOSED),
    ),
    (Variant.SHORT, "hit_and_run"): (
        PlayCheck("8/7*/5"),
        PlayCheck("8/7*/5", Reason.HIT_AND_RUN, {"hit": "no_hit_and_run"}),
        PlayCheck("8/7* 6/4", rules={"hit": "no_hit_and_run"}),
    ),
    (Variant.SHORT, "bear_off"): _BEAR_OFF,
    (Variant.SHORT, "bear_off_gap"): _BEAR_OFF_GAP,
    (Variant.LONG, "head"): (
        PlayCheck("24/19/17"),
        PlayCheck("24/19 24/22", Reason.HEAD_TAKEN),
    ),
    (Variant.LONG, "head_sixes"): (
        PlayCheck("24/18(2)"),
        PlayCheck("24/18(3)", Reason.HEAD_TAKEN),
        PlayCheck("24/18/12", Reason.POINT_CLOSED),
    ),
    (Variant.LONG, "head_second"): (
        PlayCheck("24/18 24/22"),
        PlayCheck("24/18/16", Reason.POINT_CLOSED),
        PlayCheck("24/18 24/22", Reason.HEAD_TAKEN, {"head": "fixed"}),
    ),
    (Variant.LONG, "block_forbidden"): (
        PlayCheck("24/21/20"),
        PlayCheck("7/4 24/23", Reason.BLOCK),
    ),
    (Variant.LONG, "block_allowed"): (PlayCheck("7/4 24/23"),),
    (Variant.LONG, "block_own_edge"): (
        PlayCheck("24/20 6/5"),
        PlayCheck("5/1 6/5", Reason.BLOCK),
    ),
    (Variant.LONG, "block_enemy_edge"): (PlayCheck("12/10 4/3"),),
    (Variant.LONG, "bear_off"): _BEAR_OFF,
    (Variant.LONG, "bear_off_gap"): _BEAR_OFF_GAP,
}

WINS: Mapping[tuple[Variant, str], tuple[WinCheck, ...]] = {
    (Variant.SHORT, "mars"): (
        WinCheck(WinKind.GAMMON),
        WinCheck(WinKind.SINGLE, {"mars": False}),
        WinCheck(WinKind.GAMMON, {"profile": "manual"}),
    ),
    (Variant.SHORT, "koks"): (
        WinCheck(WinKind.BACKGAMMON),
        WinCheck(WinKind.GAMMON, {"koks": False}),
        WinCheck(WinKind.SINGLE, {"mars": False}),
    ),
    (Variant.LONG, "mars"): (
        WinCheck(WinKind.GAMMON),
        WinCheck(WinKind.GAMMON, {"koks": True}),
        WinCheck(WinKind.SINGLE, {"mars": False}),
    ),
    (Variant.LONG, "koks"): (
        WinCheck(WinKind.GAMMON),
        WinCheck(WinKind.BACKGAMMON, {"koks": True}),
        WinCheck(WinKind.GAMMON, {"profile": "federation"}),
    ),
    (Variant.LONG, "koks_federation"): (
        WinCheck(WinKind.BACKGAMMON, {"profile": "federation"}),
        WinCheck(WinKind.GAMMON, {"koks": True}),
    ),
}

# Long nardy with head="effect": rolls with which two checkers may leave the head on a side's
# first turn. The second player has the first player's three rolls, and others that depend on the
# first player's roll. After a 3-3, the second player has 5-5 only if the first player made certain
# plays (SOMETIMES_HEAD_ROLLS). The rolls were found by exhaustive search, and a test checks them.
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
