"""Rows of played matches for tests of lists and sums, stored without logs."""

from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.engine.match.state import Phase
from games.models import Match, Seat
from stats.models import PlayedMatch
from tests.games.factories import MatchFactory

_SCORES = {"won": (3, 1), "lost": (1, 3), "drawn": (3, 3), "void": (0, 0)}


def played(
    user: User, result: str = "won", at: datetime | None = None, **fields: Any
) -> PlayedMatch:
    """Store a finished match of the user; `fields` are columns of its row."""
    at = at or timezone.now() - timedelta(hours=1)
    match = MatchFactory()
    outcome = "void" if result == "void" else "points"
    is_public = fields.get("is_public", True)
    Match.objects.filter(pk=match.pk).update(
        phase=Phase.FINISHED.value, outcome=outcome, finished_at=at, is_public=is_public
    )
    seat = match.seats.get(bot="")
    Seat.objects.filter(pk=seat.pk).update(user=user, guest=None)
    opponent = fields.pop("opponent", None)
    if opponent is not None:
        match.seats.exclude(pk=seat.pk).update(user=opponent, bot="")
    own, other = _SCORES[result]
    row = {
        "variant": "short", "category": "credits", "against": "member", "level": "",
        "is_public": is_public, "length": 3, "own_score": own, "other_score": other,
        "games_won": own, "games_lost": other, "mars_won": 1, "mars_lost": 0, "rolls": 30,
        "doublets": 5, "pips": 250, "all_rolls": 61, "net_credits": 0, "fee_credits": 0,
    } | fields  # fmt: skip
    return PlayedMatch.objects.create(
        seat=seat, user=user, match=match, finished_at=at, result=result, opponent=opponent, **row
    )
