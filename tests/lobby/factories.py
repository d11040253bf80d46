"""Members with credits, and the games that they announce and play, made by the services."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

from django.contrib.sessions.backends.db import SessionStore
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.shared.transactions import writing
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match
from games.models.actor import Actor
from games.services import actions, seats
from lobby.models import Seek
from lobby.services import announcing, joining
from tests.games.factories import Sitting, command
from wallet.money import House
from wallet.selectors import funds_of
from wallet.services import accounts, transfers

DELAY_MS = 20_000


def player(login: str, credits: int = 1000) -> User:
    """Create an activated member with these credits."""
    now = timezone.now()
    user = User.objects.create_user(login, f"{login}@example.org", activated_at=now)
    if credits:
        with writing():
            amounts = {
                accounts.house(House.GIFTS).id: -credits,
                accounts.of_user(user.pk).id: credits,
            }
            transfers.post(f"gift:{login}", transfers.Cause("gift"), amounts, now)
    return user


def total_of(user: User) -> int:
    return funds_of(user.pk).total


def session_key(user: User | None = None) -> str:
    """Return the key of a new session of the member, or of a guest."""
    if user is None:
        session = SessionStore()
        session.create()
        return str(session.session_key)
    client = Client()
    client.force_login(user)
    return str(client.session.session_key)


def announcement(stake: int = 100, length: int = 1, **fields: Any) -> announcing.Announcement:
    variant = fields.pop("variant", "short")
    options = {"length": length, "delay_ms": DELAY_MS, **fields.pop("rules", {})}
    return announcing.Announcement(Rules.of(variant, **options), stake, **fields)


class StakeSitting(Sitting):
    """A match for credits between two members. White announced it and Black joined."""

    def __init__(self, white: User, black: User, **fields: Any) -> None:
        self.now = fields.pop("now", None) or timezone.now()
        self.users = {Side.WHITE: white, Side.BLACK: black}
        self.side = Side.WHITE
        seek = announcing.announce(white, announcement(**fields), self.now)
        self.match: Match = joining.join(seek.public_id, black, self.now)
        self.actors = {side: Actor(user_id=user.pk) for side, user in self.users.items()}

    @classmethod
    def going_on(cls, match: Match, old: "StakeSitting", *, swapped: bool) -> "StakeSitting":
        """Return a sitting of the same two members at another match."""
        sitting = cls.__new__(cls)
        sitting.now, sitting.match, sitting.side = old.now, match, Side.WHITE
        sides = {side: side.other if swapped else side for side in Side}
        sitting.users = {side: old.users[sides[side]] for side in Side}
        sitting.actors = {side: old.actors[sides[side]] for side in Side}
        return sitting

    def sit(self, *sides: Side) -> "StakeSitting":
        for side in sides or tuple(Side):
            holder = uuid4()
            actor = Actor(user_id=self.users[side].pk, holder=holder)
            seats.take(self.public_id, actor, holder, self.now)
            self.actors[side] = actor
        return self

    def go(self, side: Side) -> None:
        """Close the side's connection."""
        seats.leave(self.public_id, self.actors[side], self.now)

    def shake(self) -> "StakeSitting":
        import hashlib

        for side in Side:
            self.do("entropy_hash", side=side, hash=hashlib.sha256(b"x" * 16).hexdigest())
        for side in Side:
            self.do("entropy", side=side, entropy=(b"x" * 16).hex())
        return self

    def do(self, t: str, *, side: Side | None = None, **fields: Any) -> actions.Accepted:
        return self.submit(self.actors[side or Side.WHITE], command(t, self.seq, **fields))


def seek_of(user: User) -> Seek:
    return Seek.objects.get(owner=user, state=Seek.State.OPEN)


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)
