"""Chat messages pass the write gate of the process, as all its writes do."""

from threading import Thread
from uuid import uuid4

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from accounts.shared import transactions
from chat.models import Message
from games.engine.sides import Side
from games.models.actor import Actor
from games.protocol.incoming import Say
from games.services import chat
from tests.games.factories import StakeSitting
from tests.wallet.factories import player

GATE_WAIT_S = 0.3  # the message reaches the gate within this time


@pytest.mark.django_db(transaction=True)
def test_chat_waits_at_the_write_gate_without_locking_the_database() -> None:
    """A message whose transaction began before the gate would hold SQLite's lock.

    While it waited at the gate, it would block the writer that has passed the gate.
    """
    white = player("white5")
    sitting = StakeSitting(white, player("black5"))
    message = Say(uuid4(), "phrase", "hello", "")

    def say() -> None:
        chat.say(sitting.public_id, Side.WHITE, Actor(user_id=white.pk), message, timezone.now())
        connection.close()

    talker = Thread(target=say)
    with transactions._GATE:
        talker.start()
        talker.join(GATE_WAIT_S)
        assert talker.is_alive() or connection.vendor != "sqlite"
        with transactions.write_transaction():
            User.objects.filter(pk=white.pk).update(first_name="W")
    talker.join()
    assert Message.objects.get().body == "hello"
