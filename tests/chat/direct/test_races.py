"""Concurrent sends, reads and blocks: no message is lost, counted wrongly or stored twice.

The short form (without `--long`) has four threads, which find a missing lock in most runs.
"""

from uuid import uuid4

import pytest
from django.db.models import Sum
from django.utils import timezone

from accounts.people import blocks
from chat.direct import selectors, services
from chat.models import Conversation, Message
from chat.services import messages
from tests.accounts.factories import UserFactory
from tests.support.lengths import length
from tests.support.races import at_once

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = length(4, 50)


@pytest.fixture
def pair():
    return UserFactory(member=True), UserFactory(member=True)


def test_a_message_sent_many_times_at_once_is_stored_once(pair):
    anna, boris = pair
    for sent in range(1, 5):
        client_id = uuid4()

        def send(_, client_id=client_id):
            return int(services.send(anna, boris, "Hi", timezone.now(), client_id) is not None)

        assert at_once(send, THREADS) == [0] * (THREADS - 1) + [1]
        assert Message.objects.count() == selectors.unread_count(boris.pk) == sent
    assert Conversation.objects.count() == 2


def test_concurrent_messages_of_both_members_are_all_counted(pair, monkeypatch):
    monkeypatch.setattr(messages, "BURST", 1000)

    def send(number):
        author, other = pair if number % 2 else pair[::-1]
        return int(services.send(author, other, "Hi", timezone.now()) is not None)

    assert at_once(send, THREADS) == [1] * THREADS
    assert sum(selectors.unread_count(user.pk) for user in pair) == THREADS


def test_reading_while_messages_arrive_loses_none(pair, monkeypatch):
    monkeypatch.setattr(messages, "BURST", 1000)
    anna, boris = pair
    first = services.send(anna, boris, "Hi", timezone.now())
    services.send(boris, anna, "Hi", timezone.now())  # so anna is no longer a stranger

    def act(number):
        if number % 2:
            services.send(anna, boris, "Hi", timezone.now())
        else:
            services.read(boris, anna, first.pk)
        return 0

    at_once(act, THREADS)
    later = Message.objects.filter(author=anna, pk__gt=first.pk).count()
    assert selectors.unread_count(boris.pk) == later == THREADS // 2


def test_a_block_stops_messages_that_are_being_sent(pair):
    anna, boris = pair

    def act(number):
        if number % 2:
            blocks.block(boris.pk, anna.pk, timezone.now())
            return 0
        try:
            services.send(anna, boris, "Hi", timezone.now())
        except services.Refused as refusal:
            return int(refusal.code not in ("not_accepted", "too_fast", "unanswered"))
        return 0

    assert not any(at_once(act, THREADS))
    assert selectors.refusal(anna, boris) == "not_accepted"
    # Messages sent before the block were received, but the header no longer counts them.
    received = Conversation.objects.filter(owner=boris)
    assert received.aggregate(sum=Sum("unread", default=0))["sum"] == Message.objects.count()
    assert selectors.unread_count(boris.pk) == 0
