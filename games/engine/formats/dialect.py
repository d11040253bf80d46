"""Differences between the match text of short backgammon and that of long nardy."""

from dataclasses import dataclass

from games.engine.rules import Variant


@dataclass(frozen=True, slots=True)
class Dialect:
    """One kind of match text.

    `code` begins the codes of errors; `tells_all` = every logged event of play is written.
    A text that other programs read (`tells_all` False) leaves out events they do not know:
    refused resignations, the opening throws but the last, the turn after the bear-off under
    parity. There a resignation is only its `Wins` line.
    """

    code: str
    variant: Variant
    variation: str
    tells_all: bool


MAT = Dialect("mat", Variant.SHORT, "Backgammon", tells_all=False)
LONG_TEXT = Dialect("longtext", Variant.LONG, "Long nardy", tells_all=True)
