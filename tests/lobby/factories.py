"""Announcements for tests, made through the services."""

from datetime import datetime, timedelta
from typing import Any

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from accounts.models import User
from games.engine.rules import Rules
from lobby.models import Seek
from lobby.services import announcing
from tests.games.factories import DELAY_MS
from tests.wallet.factories import player


def announcement(stake: int = 100, length: int = 1, **fields: Any) -> announcing.Announcement:
    variant = fields.pop("variant", "short")
    options = {"length": length, "delay_ms": DELAY_MS, **fields.pop("rules", {})}
    return announcing.Announcement(Rules.of(variant, **options), stake, **fields)


class SeekFactory(DjangoModelFactory[Seek]):
    """An announced game; fields other than `owner` and `now` are those of `announcement`."""

    class Meta:
        model = Seek

    owner = factory.Sequence(lambda number: player(f"owner{number}"))
    now = factory.LazyFunction(timezone.now)

    @classmethod
    def _create(
        cls, model_class: type[Seek], *args: Any, owner: User, now: datetime, **fields: Any
    ) -> Seek:
        return announcing.announce(owner, announcement(**fields), now)


def seek_of(user: User) -> Seek:
    return Seek.objects.get(owner=user, state=Seek.State.OPEN)


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)
