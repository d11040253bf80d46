"""Ratings, counted matches and their sums; all can be rebuilt from the matches."""

from stats.models.counts import Award, CountedSeat, DiceDay, DiceTally, MemberDeeds
from stats.models.opponents import OpponentRecord
from stats.models.played import PlayedMatch, ReviewedSeat, SharedRecap
from stats.models.ratings import (
    VARIANTS,
    Ladder,
    OneWayFlow,
    RatedMatch,
    Rating,
    RatingChange,
)

__all__ = [
    "VARIANTS",
    "Award",
    "CountedSeat",
    "DiceDay",
    "DiceTally",
    "Ladder",
    "MemberDeeds",
    "OneWayFlow",
    "OpponentRecord",
    "PlayedMatch",
    "RatedMatch",
    "Rating",
    "RatingChange",
    "ReviewedSeat",
    "SharedRecap",
]
