"""Play matches and count them, as the worker does."""

from django.utils import timezone

from accounts.models import User
from games.engine.sides import Side
from games.models import Match
from stats.services import counting
from tests.stats.test_rating_matches import play


def play_counted(white: User, black: User, winner: Side = Side.WHITE) -> Match:
    match: Match = play(white, black, winner)
    counting.settle_due(timezone.now())
    return match
