"""Notify a member who has left a running match that it is their turn, once for each absence."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from accounts.models import NoticeKind
from accounts.notices import services as notices
from accounts.notices.services import Event
from games.engine.match.permissions import on_turn
from games.engine.match.state import MatchState
from games.engine.sides import Side
from games.models import Match, Seat

# After this time the notice is useless: the match is over, or the player has come back.
LIFETIME = timedelta(minutes=10)


def tell_absent(match: Match, seats: Mapping[Side, Seat], state: MatchState, now: datetime) -> None:
    """Notify the member who must act, if no connection holds their seat.

    Must run in the caller's transaction.
    """
    side = on_turn(state)
    if side is None or not match.policy.counts_absence:
        return
    seat = seats[side]
    if seat.user_id is None or seat.holder is not None or seat.absence_at is None:
        return
    event = Event(
        NoticeKind.YOUR_TURN,
        "games:match",
        match.public_id,
        now + LIFETIME,
        key=f"{match.public_id}:{seat.absence_at.timestamp():.3f}",
    )
    notices.tell(seat.user_id, event, now)


def note_arrival(seat: Seat, match: Match) -> None:
    """Withdraw the notices that call the player to the table: they have come."""
    if seat.user_id is not None:
        notices.arrive(seat.user_id, "games:match", match.public_id)
