"""The consequence of signing out during a match for credits."""

from collections.abc import Iterator
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.sessions.unfinished import Unfinished
from games.models import Seat
from games.selectors import find_staked_seat


def unfinished(user: User, now: datetime) -> Iterator[Unfinished]:
    """Yield the warning about the member's match for credits, if one is live."""
    seat = find_staked_seat(user.pk)
    if seat is not None:
        url = reverse("games:match", args=[seat.match.public_id])
        yield Unfinished(_consequence(seat, now), url, _("Go to the table"))


def _consequence(seat: Seat, now: datetime) -> str:
    match = seat.match
    if match.started_at is None:
        return _(
            "Your match is about to begin. If you are not at the table within 30 seconds, it is "
            "called off, and this goes on your record."
        )
    left_s = seat.absence.left_ms_at(now) // 1000 if seat.absence else 0
    text = ngettext(
        "Your match (stake: %(credits)d) continues without you, and your clock runs whenever it "
        "is your turn. Once you have been away for %(left)d second, your opponent may claim the "
        "win, and you lose your stake.",
        "Your match (stake: %(credits)d) continues without you, and your clock runs whenever it "
        "is your turn. Once you have been away for %(left)d seconds, your opponent may claim "
        "the win, and you lose your stake.",
        left_s,
    )
    return text % {"credits": match.stake_credits, "left": left_s}
