"""Messages to groups are sent in order by a socket's event loop; a loss is logged, not raised."""

import asyncio

import pytest
from channels.layers import get_channel_layer

from accounts import broadcast
from accounts.shared.database_threads import run_in_db_thread

MESSAGES = 20


def send_many() -> None:
    for number in range(MESSAGES):
        broadcast.send(("numbers", {"type": "number", "number": number}))


@pytest.mark.asyncio
async def test_messages_of_a_thread_arrive_in_order() -> None:
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add("numbers", channel)
    await run_in_db_thread(send_many)
    received = [await layer.receive(channel) for _ in range(MESSAGES)]
    assert [message["number"] for message in received] == list(range(MESSAGES))


def test_a_message_that_cannot_be_sent_is_logged_and_raises_nothing(caplog) -> None:
    async def in_a_loop() -> None:
        broadcast.nudge(1, "balance")

    asyncio.run(in_a_loop())
    assert "group messages lost" in caplog.text
