"""Queries for achievements."""

from dataclasses import dataclass

from stats.achievements.definitions import ACHIEVEMENTS, BY_CODE, Achievement
from stats.models import Award


@dataclass(frozen=True, slots=True)
class ShownAward:
    award: Award
    achievement: Achievement


def awards_of(user_id: int) -> list[ShownAward]:
    """Return the member's achievements with their matches, the newest first."""
    awards = Award.objects.filter(user_id=user_id).select_related("match").defer("match__snapshot")
    return [ShownAward(each, BY_CODE[each.code]) for each in awards if each.code in BY_CODE]


def open_to(reached: list[ShownAward]) -> list[Achievement]:
    """Return the achievements that are not in `reached`."""
    codes = {each.award.code for each in reached}
    return [each for each in ACHIEVEMENTS if each.code not in codes]
