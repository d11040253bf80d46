"""The 36 rolls of two dice, each with its count, and what chance makes of them. Pure.

The order of the dice counts: 3-1 and 1-3 are two rolls, so all 36 are equally likely. The dice of
the opening throw are left out: one of each side, and never equal.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Self

FACES = range(1, 7)
CELLS = len(FACES) ** 2
# With fewer rolls, under five expected of each, the chi-square distribution does not fit.
FEWEST = 5 * CELLS
# A cell beyond so many standard deviations is marked: one of 36 is, in a tenth of all samples.
ODD_DEVIATIONS = 3.0


class Verdict(Enum):
    """The verdict on counts, by the share of honest dice that differ at least as much."""

    TOO_FEW = "too_few"
    USUAL = "usual"  # in more than a twentieth of all samples
    RARE = "rare"  # in a twentieth to a thousandth
    SUSPECT = "suspect"  # more seldom


@dataclass(frozen=True, slots=True)
class Cell:
    first: int
    second: int
    count: int
    is_odd: bool  # beyond ODD_DEVIATIONS

    @property
    def is_double(self) -> bool:
        return self.first == self.second


@dataclass(frozen=True, slots=True)
class DiceMap:
    """The counts in rows by the first die: 1-1, 1-2 ... 6-6."""

    counts: tuple[int, ...] = (0,) * CELLS

    @classmethod
    def of_rolls(cls, rolls: Iterable[tuple[int, int]]) -> Self:
        counts = [0] * CELLS
        for first, second in rolls:
            counts[(first - 1) * len(FACES) + second - 1] += 1
        return cls(tuple(counts))

    @classmethod
    def sum(cls, maps: Iterable[Sequence[int]]) -> Self:
        """Add counts cell by cell; none give an empty map."""
        columns = list(zip(*maps, strict=True))
        return cls(tuple(map(sum, columns))) if columns else cls()

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def expected(self) -> float:
        """The count of each roll that honest dice have on average."""
        return self.total / CELLS

    @property
    def band(self) -> tuple[int, int]:
        """The counts that 95 of 100 cells of honest dice have: two standard deviations."""
        spread = 2 * self._deviation
        return max(0, math.ceil(self.expected - spread)), math.floor(self.expected + spread)

    @property
    def rows(self) -> list[list[Cell]]:
        cells = iter(self.counts)
        return [[self._cell(first, second, next(cells)) for second in FACES] for first in FACES]

    @property
    def doubles(self) -> int:
        return sum(self.counts[:: len(FACES) + 1])

    @property
    def double_share(self) -> float:
        """The percentage of doublets."""
        return 100 * self.doubles / self.total if self.total else 0.0

    @property
    def pips(self) -> float:
        """The mean of both dice together; 7 with honest dice, doublets counted once."""
        sums = [first + second for first in FACES for second in FACES]
        total = sum(each * count for each, count in zip(sums, self.counts, strict=True))
        return total / self.total if self.total else 0.0

    @property
    def chi_square(self) -> float:
        """Pearson's statistic against equal counts."""
        return sum((count - self.expected) ** 2 / self.expected for count in self.counts)

    @property
    def chance(self) -> float:
        """The chance that honest dice differ at least as much.

        By the cube-root approximation of Wilson and Hilferty (1931), right to about 0.001 here.
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
