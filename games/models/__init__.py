"""Matches with their seats and logs, and the other rows and values of a match."""

from games.models.action import Action
from games.models.commitment import Commitment
from games.models.delayed_view import DelayedView
from games.models.game import Game
from games.models.match import (
    ABSENCE_FIELDS,
    GRACE_START_MS,
    GUEST_NAME_LENGTH,
    PREMOVE_FIELDS,
    Match,
    Seat,
)
from games.models.newcomer import CountedMatch, LessonResult
from games.models.outage import Heartbeat, Interruption
from games.models.rematch import RematchOffer
from games.models.review import Review
from games.models.stored_form import StoredForm
from games.models.strike import Strike

__all__ = [
    "ABSENCE_FIELDS",
    "GRACE_START_MS",
    "GUEST_NAME_LENGTH",
    "PREMOVE_FIELDS",
    "Action",
    "Commitment",
    "CountedMatch",
    "DelayedView",
    "Game",
    "Heartbeat",
    "Interruption",
    "LessonResult",
    "Match",
    "RematchOffer",
    "Review",
    "Seat",
    "StoredForm",
    "Strike",
]
