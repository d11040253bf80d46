"""The formats of tournaments, pure: who meets whom, when it is over, who is placed where."""

from collections.abc import Mapping

from tournaments.formats.knockout import Knockout
from tournaments.formats.round_robin import RoundRobin
from tournaments.formats.swiss import Swiss
from tournaments.formats.values import (
    Format,
    Pairing,
    Played,
    PlayedRound,
    Round,
    Standing,
)

FORMATS: Mapping[str, Format] = {
    "KNOCKOUT": Knockout(),
    "ROUND_ROBIN": RoundRobin(),
    "DOUBLE_ROUND_ROBIN": RoundRobin(legs=2),
    "SWISS": Swiss(),
}

__all__ = ["FORMATS", "Format", "Pairing", "Played", "PlayedRound", "Round", "Standing"]
