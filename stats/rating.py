"""The rating formulas.

The formulas are those of FIBS, the First Internet Backgammon Server: the chance of the better
player grows with the square root of the match length, and ratings of newcomers move faster. Two
weights are ours, so that rating points cannot be given away without playing: a pair's further
matches of a day count less and less, and a gain counts less if the match ended early.
"""

from dataclasses import dataclass
from decimal import Decimal
from math import sqrt

START = Decimal(1500)
# Points of experience below which a rating is provisional.
SETTLED_EXPERIENCE = 20
# Matches of one pair in one day that count in full; each further one counts half the one before.
FULL_MATCHES_OF_PAIR = 3
# Turns that each side must have played for the winner's full gain.
FULL_TURNS = 10
_STEP = Decimal("0.0001")  # changes are rounded to a multiple of this


@dataclass(frozen=True, slots=True)
class Standing:
    """A player before a match. Experience is the sum of the lengths of the rated matches."""

    rating: Decimal = START
    experience: int = 0

    @property
    def is_provisional(self) -> bool:
        return self.experience < SETTLED_EXPERIENCE

    @property
    def pace(self) -> float:
        """Return the factor K: 5 for a newcomer, down to 1 after 400 points of experience."""
        return max(1.0, 5 - self.experience / 100)


def chance(own: Decimal, other: Decimal, length: int) -> float:
    """Return the probability of winning a match to `length` points."""
    difference = float(own - other)
    return float(1 / (1 + 10 ** (-difference * sqrt(length) / 2000)))


def change(own: Standing, other: Standing, length: int, result: float, weight: float) -> Decimal:
    """Return the change of a rating by one match; `result`: 1 won, 0.5 drawn, 0 lost."""
    expected = chance(own.rating, other.rating, length)
    moved = 4 * own.pace * sqrt(length) * (result - expected) * weight
    return Decimal(moved).quantize(_STEP)


def weight_of(number: int) -> float:
    """Return the weight of a pair's match, the `number`-th (from 1) of the day."""
    return float(0.5 ** max(0, number - FULL_MATCHES_OF_PAIR))


def played_weight(turns: int, result: float) -> float:
    """Return the weight of a result by the turns of the side that played fewer.

    The weight is below 1 only for the winner: a loser who gives up early loses as much as a loser
    who plays on.
    """
    return min(1.0, turns / FULL_TURNS) if result == 1 else 1.0
