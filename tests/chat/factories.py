"""Chat messages for tests, created by the service."""

from typing import Any

import factory
from django.utils import timezone
from factory.django import DjangoModelFactory

from chat.models import Message
from chat.services import messages
from tests.accounts.factories import UserFactory


class MessageFactory(DjangoModelFactory[Message]):
    """A text in a room; `body` is a code when `kind` is a phrase or emoji."""

    class Meta:
        model = Message

    room = "match:AbCdEf123456:players"
    author = factory.SubFactory(UserFactory, member=True)
    kind = Message.Kind.TEXT
    body = factory.Sequence("words {}".format)
    now = factory.LazyFunction(timezone.now)

    @classmethod
    def _create(cls, model_class: type[Message], *args: Any, **kwargs: Any) -> Message:
        return messages.say(**kwargs)
