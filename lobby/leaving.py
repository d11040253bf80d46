"""What a game for credits does while its player is signed out."""

from collections.abc import Iterator
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.leaving import Unfinished
from accounts.models import User
from games.models import Match
from lobby import selectors


def unfinished(user: User, now: datetime) -> Iterator[Unfinished]:
    match = selectors.live_match_of(user)
    if match is not None:
        text = _consequence(match, user, now)
        yield Unfinished(text, reverse("games:match", args=[match.public_id]), _("To the table"))
    seek = selectors.open_seek_of(user)
    if seek is not None:
        text = _(
            "Your announced game goes on waiting. If somebody joins and you are not back within"
            " half a minute, the match does not count, and it is noted that you did not start."
        )
        address = reverse("lobby:seek", args=[seek.public_id])
        yield Unfinished(text, address, _("To the waiting room"))


def _consequence(match: Match, user: User, now: datetime) -> str:
    if match.started_at is None:
        return _(
            "Your match is about to begin. If you are not at the table within half a minute, it"
            " does not count, and it is noted that you did not start."
        )
    absence = match.seats.get(user=user).absence
    left = absence.left(now) // 1000 if absence else 0
    text = ngettext(
        "Your match (stake: %(credits)d) goes on without you, and your clock runs. After"
        " %(left)d second away your opponent may claim the win; then your stake is lost.",
        "Your match (stake: %(credits)d) goes on without you, and your clock runs. After"
        " %(left)d seconds away your opponent may claim the win; then your stake is lost.",
        left,
    )
    return text % {"credits": match.stake_credits, "left": left}
