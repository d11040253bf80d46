"""Concurrent messages, mutes and reports of one member."""

from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.shared.refusals import Refused
from chat.models import Message, Mute, Report
from chat.services import messages
from tests.accounts.factories import UserFactory
from tests.chat.factories import MessageFactory
from tests.support.races import THREADS, at_once

pytestmark = pytest.mark.django_db(transaction=True)
ROOM = "match:AbCdEf123456:players"


@pytest.fixture
def author() -> User:
    return UserFactory(username="author", member=True)


def test_message_that_is_sent_many_times_at_once_is_written_once(author: User) -> None:
    for _ in range(10):
        client_id = uuid4()

        def say(_: int, client_id: object = client_id) -> int:
            now = timezone.now()
            said = messages.say(ROOM, author, Message.Kind.PHRASE, "hello", now, client_id)
            return int(said is not None)

        assert at_once(say) == [0] * (THREADS - 1) + [1]
        Message.objects.all().delete()


def test_limits_hold_for_concurrent_requests(author: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "DAILY_REPORTS", 1)
    monkeypatch.setattr(messages, "MAX_MUTES", 1)
    others = [UserFactory(username=f"other{number}", member=True) for number in range(THREADS)]
    now = timezone.now()
    written = [MessageFactory(author=other, body="x", now=now).pk for other in others]

    def tried(do: object, *args: object) -> int:
        try:
            do(*args, now)  # type: ignore[operator]
        except Refused:
            return 0
        return 1

    for _ in range(10):
        for number in range(messages.BURST - 1):
            messages.say(f"room {number}", author, Message.Kind.PHRASE, "hello", now)
        for act in (
            lambda n: tried(messages.say, ROOM, author, Message.Kind.PHRASE, "hello"),
            lambda n: tried(messages.mute, author, others[n].pk),
            lambda n: tried(messages.report, author, written[n]),
        ):
            assert at_once(act) == [0] * (THREADS - 1) + [1]
        Report.objects.all().delete()
        Mute.objects.all().delete()
        Message.objects.filter(author=author).delete()
