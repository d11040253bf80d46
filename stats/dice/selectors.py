"""Queries for the counted dice."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

from stats.dice.dice_map import DiceMap
from stats.kept_totals import totals_of
from stats.models import DiceDay, DiceTally

# Days that the public page lists.
DAYS = 30


@dataclass(frozen=True, slots=True)
class Both:
    """Two maps: of a member and of their opponents, or of all members and of the computers."""

    first: DiceMap
    second: DiceMap

    @classmethod
    def sum(cls, pairs: Iterable[tuple[list[int], list[int]]]) -> "Both":
        rows = list(pairs)
        first, second = (DiceMap.sum(row[index] for row in rows) for index in (0, 1))
        return cls(first, second)


@dataclass(frozen=True, slots=True)
class SiteDice:
    total: Both
    days: list[tuple[date, Both]]


def dice_of(user_id: int, variant: str = "", is_against_computer: bool | None = None) -> Both:
    """Return a member's dice and their opponents'; the defaults select all matches."""
    tallies = DiceTally.objects.filter(user_id=user_id)
    if variant:
        tallies = tallies.filter(variant=variant)
    if is_against_computer is not None:
        tallies = tallies.filter(is_against_computer=is_against_computer)
    return Both.sum(tallies.values_list("own", "opponents"))


def dice_of_site(now: datetime) -> SiteDice:
    """Return the dice of members and computer opponents, cached for a minute."""
    return totals_of("dice", now, _add_up)


def _add_up() -> SiteDice:
    rows = list(DiceDay.objects.values_list("day", "members", "computers"))
    days = [(day, Both.sum([maps])) for day, *maps in rows[:DAYS]]  # type: ignore[list-item]
    return SiteDice(Both.sum(maps for _, *maps in rows), days)  # type: ignore[misc]
