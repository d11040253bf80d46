"""Differences between the two variants, and the only conversion between the sides' numberings.

Each side numbers its points from 24 down to 1; 25 = bar, 0 = off, in both variants.
"""

from dataclasses import dataclass
from types import MappingProxyType

from games.engine.rules import Variant

OFF = 0
HEAD = 24
BAR = 25
CHECKERS = 15
HOME_END = 6
FIRST_QUARTER = range(19, 25)


@dataclass(frozen=True, slots=True)
class VariantTraits:
    """The properties in which the two variants differ.

    `opposite[p]` is the enemy's number of a side's own point p; bar and off keep their numbers.
    `start` is one side's opening array: 26 counts, [0] = off, [25] = bar.
    """

    variant: Variant
    opposite: tuple[int, ...]
    start: tuple[int, ...]
    has_hits: bool
    opening_dice_are_first_roll: bool


def _array(counts: dict[int, int]) -> tuple[int, ...]:
    return tuple(counts.get(point, 0) for point in range(26))


SHORT = VariantTraits(
    variant=Variant.SHORT,
    opposite=(OFF, *(25 - point for point in range(1, 25)), BAR),
    start=_array({24: 2, 13: 5, 8: 3, 6: 5}),
    has_hits=True,
    opening_dice_are_first_roll=True,
)
LONG = VariantTraits(
    variant=Variant.LONG,
    opposite=(OFF, *(p + 12 if p <= 12 else p - 12 for p in range(1, 25)), BAR),
    start=_array({HEAD: CHECKERS}),
    has_hits=False,
    opening_dice_are_first_roll=False,
)
TRAITS = MappingProxyType({Variant.SHORT: SHORT, Variant.LONG: LONG})


def opposite(variant: Variant, point: int) -> int:
    """Return the enemy's number of a side's own point.

    >>> opposite(Variant.SHORT, 24), opposite(Variant.LONG, 24)
    (1, 12)
    """
    return TRAITS[variant].opposite[point]
