"""Notify absent members of a joined game, a challenge, or a game that they wish for."""

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from accounts.models import NoticeKind
from accounts.notices import services as notices
from accounts.notices.services import Event
from games.models import Match
from lobby.models import Invitation, Search, Seek, WishedGame

# A notice is sent within this time or not at all, unless its match or game sets another limit.
LIFETIME = timedelta(minutes=10)


def tell_joined(user_ids: Iterable[int | None], match: Match, now: datetime) -> None:
    """Notify these members that their match has begun; guests, who are None, get no notices."""
    expires_at = now + (match.policy.no_start_after or LIFETIME)
    event = Event(NoticeKind.JOINED, "games:match", match.public_id, expires_at)
    for user_id in sorted({id for id in user_ids if id is not None}):
        notices.tell(user_id, event, now)


def tell_challenged(game: Seek | Invitation, now: datetime) -> None:
    if game.invited_id is not None:
        page = "lobby:seek" if isinstance(game, Seek) else "lobby:invitation"
        event = Event(NoticeKind.CHALLENGE, page, game.public_id, game.expires_at)
        notices.tell(game.invited_id, event, now)


def drop_challenge(game: Seek | Invitation) -> None:
    if game.invited_id is not None:
        notices.withdraw(NoticeKind.CHALLENGE, game.public_id)


def tell_wished(wishes: Collection[WishedGame], game: Seek | Search, now: datetime) -> None:
    """Notify the wishes' owners; a notice leads to the terms of a seek, else to the lobby."""
    kind = NoticeKind.WISHED_GAME
    wanting = notices.wanting([wish.owner_id for wish in wishes], kind)
    for wish in wishes:
        if wish.owner_id not in wanting:
            continue
        key = f"{wish.public_id}:{game.public_id}"
        if isinstance(game, Seek):
            event = Event(kind, "lobby:seek", game.public_id, game.expires_at, key)
        else:
            event = Event(kind, "lobby:lobby", "", now + LIFETIME, key)
        notices.tell(wish.owner_id, event, now)
