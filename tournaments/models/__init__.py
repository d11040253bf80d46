"""Tournaments, their entrants, rounds and fixtures, and what happened in them."""

from tournaments.models.entrant import Entrant, Prize
from tournaments.models.fixture import Fixture, Round
from tournaments.models.season import SeasonPoints
from tournaments.models.terms import (
    MAX_COMPUTERS,
    MAX_ENTRANTS,
    MAX_FEE,
    MAX_HOUSE_PERCENT,
    MAX_PRIZE,
    MAX_ROUND_ROBIN,
    NAME_LENGTH,
    Terms,
)
from tournaments.models.timeline import TimelineEntry
from tournaments.models.tournament import Schedule, Tournament

__all__ = [
    "MAX_COMPUTERS",
    "MAX_ENTRANTS",
    "MAX_FEE",
    "MAX_HOUSE_PERCENT",
    "MAX_PRIZE",
    "MAX_ROUND_ROBIN",
    "NAME_LENGTH",
    "Entrant",
    "Fixture",
    "Prize",
    "Round",
    "Schedule",
    "SeasonPoints",
    "Terms",
    "TimelineEntry",
    "Tournament",
]
