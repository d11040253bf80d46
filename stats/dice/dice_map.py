"""Counts of the 36 rolls of two dice, and a test of whether the dice are honest. Pure.

The order of the dice matters: 3-1 and 1-3 are two rolls, so all 36 are equally likely. Opening
throws are left out: each side throws one die, and the two are never equal.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Self

FACES = range(1, 7)
CELLS = len(FACES) ** 2
# Rolls needed for a verdict. With fewer than five expected in each cell, the chi-square
# distribution does not fit.
FEWEST = 5 * CELLS
# A cell beyond this many standard deviations is marked; with honest dice a tenth of all samples
# have such a cell.
ODD_DEVIATIONS = 3.0


class Verdict(Enum):
    """The verdict on counts, by the share of samples of honest dice that are at least as uneven."""

    TOO_FEW = "too_few"
    USUAL = "usual"  # in more than a twentieth of all samples
    RARE = "rare"  # in a twentieth to a thousandth
    SUSPECT = "suspect"  # in fewer


@dataclass(frozen=True, slots=True)
class Cell:
    first: int
    second: int
    count: int
    is_odd: bool  # beyond ODD_DEVIATIONS

    @property
    def is_doublet(self) -> bool:
        return self.first == self.second


@dataclass(frozen=True, slots=True)
class DiceMap:
    """The counts of the 36 rolls, in the order 1-1, 1-2 ... 6-6."""

    counts: tuple[int, ...] = (0,) * CELLS

    @classmethod
    def of_rolls(cls, rolls: Iterable[tuple[int, int]]) -> Self:
        counts = [0] * CELLS
        for first, second in rolls:
            counts[(first - 1) * len(FACES) + second - 1] += 1
        return cls(tuple(counts))

    @classmethod
    def sum(cls, maps: Iterable[Sequence[int]]) -> Self:
        """Add counts cell by cell; return an empty map for no counts."""
        columns = list(zip(*maps, strict=True))
        return cls(tuple(map(sum, columns))) if columns else cls()

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def expected(self) -> float:
        """Return the expected count of each roll with honest dice."""
        return self.total / CELLS

    @property
    def band(self) -> tuple[int, int]:
        """Return the range of counts within two standard deviations of the expected count.

        With honest dice, 95 of 100 cells are within it.
        """
        spread = 2 * self._deviation
        return max(0, math.ceil(self.expected - spread)), math.floor(self.expected + spread)

    @property
    def rows(self) -> list[list[Cell]]:
        cells = iter(self.counts)
        return [[self._cell(first, second, next(cells)) for second in FACES] for first in FACES]

    @property
    def doublets(self) -> int:
        return sum(self.counts[:: len(FACES) + 1])

    @property
    def doublet_percent(self) -> float:
        return 100 * self.doublets / self.total if self.total else 0.0

    @property
    def pips(self) -> float:
        """Return the mean sum of both dice, 7 with honest dice; doublets count once."""
        sums = [first + second for first in FACES for second in FACES]
        total = sum(each * count for each, count in zip(sums, self.counts, strict=True))
        return total / self.total if self.total else 0.0

    @property
    def chi_square(self) -> float:
        """Return Pearson's statistic against equal counts."""
        return sum((count - self.expected) ** 2 / self.expected for count in self.counts)

    @property
    def chance(self) -> float:
        """Return the probability that honest dice give counts at least as uneven.

        The cube-root approximation of Wilson and Hilferty (1931), with an error of about 0.001.
        """
        freedom = CELLS - 1
        spread = 2 / (9 * freedom)
        normal = ((self.chi_square / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
        return 0.5 * math.erfc(normal / math.sqrt(2))

    @property
    def chance_percent(self) -> float:
        return 100 * self.chance

    @property
    def verdict(self) -> Verdict:
        if self.total < FEWEST:
            return Verdict.TOO_FEW
        if self.chance > 0.05:
            return Verdict.USUAL
        return Verdict.RARE if self.chance > 0.001 else Verdict.SUSPECT

    @property
    def _deviation(self) -> float:
        return math.sqrt(self.total * (1 / CELLS) * (1 - 1 / CELLS))

    def _cell(self, first: int, second: int, count: int) -> Cell:
        is_far = abs(count - self.expected) > ODD_DEVIATIONS * self._deviation
        return Cell(first, second, count, is_far and self.total >= FEWEST)
