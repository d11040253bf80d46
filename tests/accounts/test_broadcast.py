"""Messages to groups are sent in order by a socket's event loop; a loss is logged, not raised."""

import asyncio
from functools import partial

import pytest
from channels.layers import get_channel_layer

from accounts import broadcast
from accounts.shared.database_threads import run_in_db_thread
from tests.support.patience import PATIENCE_S

MESSAGES = 20


def send_many() -> None:
    """Send messages, every second one as a function that builds it."""
    for number in range(MESSAGES):
        message = ("numbers", {"type": "number", "number": number})
        broadcast.send(partial(list, [message]) if number % 2 else message)


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


@pytest.mark.asyncio
async def test_a_message_that_cannot_be_built_does_not_hold_up_later_ones(caplog) -> None:
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add("numbers", channel)
    await run_in_db_thread(broadcast.send, lambda: 1 / 0)
    async with asyncio.timeout(PATIENCE_S):
        while "group messages lost" not in caplog.text:
            await asyncio.sleep(0.01)
    await run_in_db_thread(send_many)
    assert (await layer.receive(channel))["number"] == 0
