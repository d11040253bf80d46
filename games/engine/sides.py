"""The two sides of a game."""

from enum import StrEnum


class Side(StrEnum):
    """Who plays; every side numbers the board from its own view."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> "Side":
        return Side.BLACK if self is Side.WHITE else Side.WHITE
