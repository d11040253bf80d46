"""Values of the formats: pairings, played rounds, standings. Entrants are numbers."""

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tournaments.draw.stream import DrawStream


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two entrants of a round; `second` is None for a bye, a rest or an empty place."""

    first: int
    second: int | None


@dataclass(frozen=True, slots=True)
class Played:
    """A pairing with its result.

    `winner` is None if neither won. `walkover` is true if two were paired and the result is not
    that of a game: after an absence, a withdrawal or a decision of staff. If `second` is None,
    formats ignore it. `points` are those of first and second.
    """

    first: int
    second: int | None
    winner: int | None
    points: tuple[int, int] = (0, 0)
    walkover: bool = False


Round = tuple[Pairing, ...]
PlayedRound = tuple[Played, ...]


def entrants_in(played_round: PlayedRound) -> list[int]:
    """Return the entrants of a round, those with a bye included."""
    return [
        entrant
        for played in played_round
        for entrant in (played.first, played.second)
        if entrant is not None
    ]


@dataclass(frozen=True, slots=True)
class Standing:
    """An entrant's row of the table; entrants equal in everything share the place.

    `tie_breaks` are the values of the format's `tie_breaks`, in that order.
    """

    place: int
    entrant: int
    wins: int
    losses: int
    tie_breaks: tuple[int, ...]


def ranked_among(table: Sequence[Standing], staying: Collection[int]) -> list[Standing]:
    """Return the rows of those who stayed, with their places among themselves.

    If nobody stayed, return the whole table.
    """
    rows = [row for row in table if row.entrant in staying] or table
    places = sorted(row.place for row in rows)
    return [replace(row, place=1 + bisect_left(places, row.place)) for row in rows]


class Format(Protocol):
    """Pairs the rounds of a tournament and orders its entrants; pure."""

    @property
    def tie_breaks(self) -> tuple[str, ...]:
        """Return the codes of the tie-breaks after the number of wins, in order of precedence."""

    def rounds_at_most(self, size: int) -> int: ...

    def first_round(self, entrants: Sequence[int], stream: DrawStream) -> Round: ...

    def next_round(
        self, entrants: Sequence[int], rounds: Sequence[PlayedRound], stream: DrawStream
    ) -> Round | None:
        """Return the round after `rounds`, or None when the tournament is over.

        `entrants` are those who still take part, in their order of entry.
        """

    def standings(
        self, entrants: Sequence[int], rounds: Sequence[PlayedRound]
    ) -> list[Standing]: ...


def check_entrants(entrants: Sequence[int]) -> None:
    """Raise `ValueError` for fewer than two entrants, or if one occurs twice."""
    if len(entrants) < 2 or len(set(entrants)) != len(entrants):
        raise ValueError("a draw needs two or more different entrants")
