"""The channel layer of one process: which channels get a message, and what is kept."""

import asyncio

import pytest

from accounts.shared.channels import own_channel
from config.sockets.mailbox import CAPACITY, Mailbox
from config.sockets.memory_layer import MemoryLayer
from tests.support.patience import PATIENCE_S


def note(number: int) -> dict[str, object]:
    return {"type": "note", "number": number}


@pytest.mark.asyncio
async def test_channels_of_a_group_get_its_messages_in_order() -> None:
    layer = MemoryLayer()
    async with own_channel(layer) as anna, own_channel(layer) as boris:
        for channel in (anna, boris):
            await layer.group_add("table", channel)
        await layer.group_send("table", note(1))
        await layer.group_discard("table", boris)
        await layer.group_send("table", note(2))
        await layer.group_send("empty", note(3))
        await layer.send(boris, note(4))
        assert [await layer.receive(anna) for _ in range(2)] == [note(1), note(2)]
        assert [await layer.receive(boris) for _ in range(2)] == [note(1), note(4)]


@pytest.mark.asyncio
async def test_a_channel_without_a_reader_keeps_a_bounded_number_of_messages() -> None:
    layer = MemoryLayer()
    async with own_channel(layer) as flooded:
        for number in range(2 * CAPACITY):
            await layer.send(flooded, note(number))
        assert len(layer.channels[flooded]) == CAPACITY
        assert await layer.receive(flooded) == note(0)
        await layer.send(flooded, note(-1))
        async with asyncio.timeout(PATIENCE_S):
            while await layer.receive(flooded) != note(-1):
                pass


@pytest.mark.asyncio
async def test_nothing_is_kept_of_a_channel_that_ended() -> None:
    layer = MemoryLayer()
    async with own_channel(layer) as channel:
        await layer.group_add("table", channel)
        await layer.send(channel, note(1))
    await layer.send(channel, note(2))
    await layer.group_send("table", note(3))
    await layer.group_discard("table", channel)
    assert (layer.channels, layer.groups) == ({}, {})


@pytest.mark.asyncio
async def test_a_canceled_reader_takes_no_message() -> None:
    mailbox = Mailbox[int]()
    reader = asyncio.create_task(mailbox.get())
    await asyncio.sleep(0)
    mailbox.put_nowait(1)
    reader.cancel()
    await asyncio.wait([reader])
    assert reader.cancelled()
    assert await mailbox.get() == 1


@pytest.mark.asyncio
async def test_a_waiting_reader_gets_the_next_message() -> None:
    mailbox = Mailbox[int]()
    reader = asyncio.create_task(mailbox.get())
    await asyncio.sleep(0)
    for number in (1, 2):
        mailbox.put_nowait(number)
    assert [await reader, await mailbox.get(), len(mailbox)] == [1, 2, 0]
