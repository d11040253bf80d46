"""Ratings, counted matches and their sums, which can be rebuilt from the matches; cases."""

from stats.models.cases import Case, CasePerson, Evidence, EvidenceIsKept
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
    "Case",
    "CasePerson",
    "CountedSeat",
    "DiceDay",
    "DiceTally",
    "Evidence",
    "EvidenceIsKept",
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
