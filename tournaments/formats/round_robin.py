"""Round robin: everyone meets everyone once in each leg, paired by the circle method.

The draw seats the entrants in a circle. In an odd field everyone rests once in each leg.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.draw.stream import DrawStream
from tournaments.formats.tie_breaks import Table
from tournaments.formats.values import (
    Pairing,
    PlayedRound,
    Round,
    Standing,
    check_entrants,
)


@dataclass(frozen=True, slots=True)
class RoundRobin:
    legs: int = 1
    tie_breaks: tuple[str, ...] = ("encounters", "sonneborn_berger", "points")

    def rounds_at_most(self, size: int) -> int:
        return self.legs * (size - 1 + size % 2)

    def first_round(self, entrants: Sequence[int], stream: DrawStream) -> Round:
        check_entrants(entrants)
        circle: list[int | None] = list(stream.shuffled(entrants))
        return _rotated(circle + [None] * (len(circle) % 2), 0)

    def next_round(
        self, entrants: Sequence[int], rounds: Sequence[PlayedRound], stream: DrawStream
    ) -> Round | None:
        """Rotate the circle of the first round; entrants who withdrew keep their places in it."""
        circle = _circle_of(rounds[0])
        in_leg = len(circle) - 1
        number = len(rounds)
        if number == self.legs * in_leg:
            return None
        return _rotated(circle, number % in_leg, is_return=number // in_leg % 2 == 1)

    def standings(self, entrants: Sequence[int], rounds: Sequence[PlayedRound]) -> list[Standing]:
        """Order by wins, then by the tie-breaks."""
        table = Table(entrants, rounds, is_swiss=False)
        tie_breaks = {
            entrant: (
                table.encounters(entrant),
                table.sonneborn_berger(entrant),
                table.point_difference(entrant),
            )
            for entrant in entrants
        }
        return table.standings(tie_breaks)


def _rotated(circle: Sequence[int | None], steps: int, *, is_return: bool = False) -> Round:
    """Rotate the circle by `steps`, except for the last seat; pair the seats across it.

    In a return leg (`is_return`) the two of each pair change sides.
    """
    moving = list(circle[:-1])
    shift = steps % len(moving)
    seats = [*moving[len(moving) - shift :], *moving[: len(moving) - shift], circle[-1]]
    half = len(seats) // 2
    return tuple(
        _pairing(first, second, is_return=is_return)
        for first, second in zip(seats[:half], reversed(seats[half:]), strict=True)
    )


def _pairing(first: int | None, second: int | None, *, is_return: bool) -> Pairing:
    assert first is not None
    return Pairing(second, first) if is_return and second is not None else Pairing(first, second)


def _circle_of(played_round: PlayedRound) -> list[int | None]:
    """Return the circle whose first round this is."""
    return [
        *(played.first for played in played_round),
        *(played.second for played in reversed(played_round)),
    ]
