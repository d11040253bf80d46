"""The worth of a won game: single (oin), gammon (mars) or backgammon (koks)."""

from enum import StrEnum
from types import MappingProxyType

from games.engine.board.position import Counts, Position
from games.engine.board.variants import BAR, FIRST_QUARTER, HOME_END, OFF
from games.engine.rules import Profile, Rules, Variant
from games.engine.sides import Side

# The winner's home in long nardy, in the loser's own numbering.
_LONG_WINNERS_HOME = range(13, 19)


class WinKind(StrEnum):
    SINGLE = "single"
    GAMMON = "gammon"
    BACKGAMMON = "backgammon"


KIND_POINTS = MappingProxyType({WinKind.SINGLE: 1, WinKind.GAMMON: 2, WinKind.BACKGAMMON: 3})


def win_kind(position: Position, winner: Side, rules: Rules) -> WinKind:
    """Return the kind of win that counts: with koks off at most mars, with mars off always single.

    >>> final = Position.from_text("W:off15 B:24x1,6x14", Variant.SHORT)
    >>> win_kind(final, Side.WHITE, Rules.of("short"))
    <WinKind.BACKGAMMON: 'backgammon'>
    """
    if not rules.mars:
        return WinKind.SINGLE
    kind = board_kind(position.of(winner.other), rules)
    if kind is WinKind.BACKGAMMON and not rules.koks:
        return WinKind.GAMMON
    return kind


def board_kind(loser: Counts, rules: Rules) -> WinKind:
    """Return the kind of win by the loser's checkers; the switches `mars` and `koks` are ignored.

    The win is single if the loser has a checker off. The profile `manual` ignores checkers off:
    there the win is single if all checkers on the board are home. Otherwise a checker on the bar or
    in the loser's first quarter (own points 19-24) makes koks; in long nardy of the profile
    `federation`, one in the winner's home (the loser's points 13-18) does so instead.
    """
    is_manual = rules.profile is Profile.MANUAL
    if not is_manual and loser[OFF]:
        return WinKind.SINGLE
    points = koks_points(rules)
    if loser[BAR] or any(loser[points.start : points.stop]):
        return WinKind.BACKGAMMON
    if is_manual and not any(loser[HOME_END + 1 :]):
        return WinKind.SINGLE
    return WinKind.GAMMON


def koks_points(rules: Rules) -> range:
    """Return the points, in the loser's own numbering, on which a checker makes koks."""
    is_federation_long = rules.profile is Profile.FEDERATION and rules.variant is Variant.LONG
    return _LONG_WINNERS_HOME if is_federation_long else FIRST_QUARTER
