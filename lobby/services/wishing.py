"""Wishes for games: make, renew, delete; note new games for the worker."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from accounts.models import User
from accounts.people.locks import lock_people, lock_unclosed
from accounts.shared import deadlines
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from lobby.models import NewGame, Search, Seek, WishedGame

MOST = 5  # wishes of one member
# A wish ends this long after it was made or renewed.
LIFETIME = timedelta(days=30)
# The kind of deadline of new games, as the worker's loop knows it.
WISHES = "wishes"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The member's choices; see the fields of WishedGame."""

    variant: str = ""
    is_friendly: bool = False
    least_stake: int | None = None
    most_stake: int | None = None
    from_hour: int = 0
    until_hour: int = 0


def wish(owner: User, wanted: Wanted, now: datetime) -> WishedGame:
    """Store a wish, or renew an equal one. Raises Refused (`not_member`, `wishes_full`)."""
    if not owner.is_member:
        raise Refused("not_member")
    choices = {name: getattr(wanted, name) for name in Wanted.__slots__}
    with write_transaction():
        if not lock_unclosed(owner.pk):  # closed since the request began
            raise Refused("not_member")
        own = WishedGame.objects.filter(owner=owner)
        same = own.filter(**choices).first()
        if same is None and own.count() >= MOST:
            raise Refused("wishes_full")
        made = same or WishedGame(owner=owner, created_at=now, **choices)
        made.expires_at = now + LIFETIME
        made.save()
    return made


def renew(owner: User, public_id: str, now: datetime) -> None:
    """Let a wish last for LIFETIME from now. Raises WishedGame.DoesNotExist."""
    with write_transaction():
        own = _lock(owner).get(public_id=public_id)
        own.expires_at = now + LIFETIME
        own.save(update_fields=["expires_at"])


def delete(owner: User, public_id: str) -> None:
    """Delete a wish. Idempotent."""
    with write_transaction():
        _lock(owner).filter(public_id=public_id).delete()


def forget(before: datetime) -> int:
    """Delete the wishes that ended before a time; return how many."""
    return WishedGame.objects.filter(expires_at__lt=before).delete()[0]


def game_appeared(game: Seek | Search, now: datetime) -> None:
    """Queue a new game for the worker if there are wishes, in the caller's transaction."""
    if not WishedGame.objects.filter(expires_at__gt=now).exists():
        return
    field = "seek" if isinstance(game, Seek) else "search"
    NewGame.objects.create(**{field: game}, created_at=now)
    deadlines.note(WISHES, now)


def _lock(owner: User) -> Any:
    """Lock the member, so that the number of wishes stays bounded; return the wishes."""
    lock_people(owner.pk)
    return WishedGame.objects.filter(owner=owner)
