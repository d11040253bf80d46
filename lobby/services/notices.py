"""Tell members who are away that somebody joined their game or challenges them."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from accounts.models import NoticeKind
from accounts.notices import services as notices
from accounts.notices.services import Event
from games.models import Match
from lobby.models import Seek

# A notice of a match that waits for its players without an end.
LIFETIME = timedelta(minutes=10)


def tell_joined(user_ids: Iterable[int | None], match: Match, now: datetime) -> None:
    """Tell these members that their match has begun; guests, who are None, get no notices."""
    expires_at = now + (match.policy.no_start_after or LIFETIME)
    event = Event(NoticeKind.JOINED, "games:match", match.public_id, expires_at)
    for user_id in sorted({id for id in user_ids if id is not None}):
        notices.tell(user_id, event, now)


def tell_challenged(seek: Seek, now: datetime) -> None:
    if seek.invited_id is not None:
        event = Event(NoticeKind.CHALLENGE, "lobby:seek", seek.public_id, seek.expires_at)
        notices.tell(seek.invited_id, event, now)


def drop_challenge(seek: Seek) -> None:
    if seek.invited_id is not None:
        notices.withdraw(NoticeKind.CHALLENGE, seek.public_id)
