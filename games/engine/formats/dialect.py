"""Differences between the match text of short backgammon and that of long nardy."""

from dataclasses import dataclass

from games.engine.rules import Variant


@dataclass(frozen=True, slots=True)
class Dialect:
    """One kind of match text.

    `code` begins the codes of errors; `variation` = the variant's name in the file; `is_complete` =
    every logged action of a game is written. A text for other programs (`is_complete` False) leaves
    out actions that they cannot read: refused resignations, all opening throws but the last, the
    turn after the bear-off under parity. Such a text shows a resignation only by its `Wins` line.
    """

    code: str
    variant: Variant
    variation: str
    is_complete: bool


MAT = Dialect("mat", Variant.SHORT, "Backgammon", is_complete=False)
LONG_TEXT = Dialect("longtext", Variant.LONG, "Long nardy", is_complete=True)
