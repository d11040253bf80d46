"""Matches in play and what is written about them."""

from games.models.action import Action
from games.models.game import Game
from games.models.heartbeat import Heartbeat
from games.models.match import Match, Seat

__all__ = ["Action", "Game", "Heartbeat", "Match", "Seat"]
