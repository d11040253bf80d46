"""The two sides of a game, and a value for each of them."""

from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Side(StrEnum):
    """A side of the game; each numbers the points from its own view."""

    WHITE = "white"
    BLACK = "black"

    @property
    def other(self) -> "Side":
        return Side.BLACK if self is Side.WHITE else Side.WHITE


def value_of(side: Side | None) -> str | None:
    """Return the side's name for JSON-safe dicts; None stands for neither side."""
    return None if side is None else side.value


class Pair(NamedTuple, Generic[T]):
    """One value for each side, equal to the plain tuple (white, black).

    >>> score = Pair(3, 5)
    >>> score[Side.BLACK]
    5
    >>> score.changed(Side.WHITE, 4)
    Pair(white=4, black=5)
    """

    white: T
    black: T

    def __getitem__(self, side: Side) -> T:  # type: ignore[override]
        """Return the side's value; a number is refused, since it hides which side is meant."""
        if side is Side.WHITE:
            return self.white
        if side is Side.BLACK:
            return self.black
        raise KeyError(side)

    def changed(self, side: Side, value: T) -> "Pair[T]":
        """Return the pair with the side's value replaced."""
        return Pair(value, self.black) if side is Side.WHITE else Pair(self.white, value)

    def to_dict(self) -> dict[str, T]:
        return {"white": self.white, "black": self.black}


ZEROS = Pair(0, 0)
