"""Messages of several sources are handled one at a time, and none after the connection's end."""

import asyncio
from typing import Any

import pytest

from accounts.shared.sockets import dispatch_each

pytestmark = pytest.mark.asyncio


class Ended(Exception):
    pass


async def test_a_message_waits_until_the_one_before_it_is_handled() -> None:
    sources: list[asyncio.Queue[dict[str, Any]]] = [asyncio.Queue(), asyncio.Queue()]
    log: list[str] = []

    async def dispatch(message: dict[str, Any]) -> None:
        log.append(f"begin {message['name']}")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        log.append(f"end {message['name']}")
        if message["name"] == "last":
            raise Ended

    sources[0].put_nowait({"name": "first"})
    sources[1].put_nowait({"name": "second"})
    sources[0].put_nowait({"name": "last"})
    with pytest.raises(Ended):
        await dispatch_each([source.get for source in sources], dispatch)
    assert log == [
        f"{step} {name}" for name in ("first", "second", "last") for step in ("begin", "end")
    ]


async def test_nothing_is_handled_after_the_connection_has_ended() -> None:
    from_client: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    from_layer: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    handled = []

    async def dispatch(message: dict[str, Any]) -> None:
        handled.append(message["name"])
        from_layer.put_nowait({"name": "late"})
        await asyncio.sleep(0.01)  # the late message waits for its turn
        raise Ended

    from_client.put_nowait({"name": "disconnect"})
    with pytest.raises(Ended):
        await dispatch_each([from_client.get, from_layer.get], dispatch)
    await asyncio.sleep(0)
    assert handled == ["disconnect"]


async def test_a_canceled_connection_ends_its_sources() -> None:
    ended = []

    async def receive() -> dict[str, Any]:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)
        raise AssertionError

    async def dispatch(message: dict[str, Any]) -> None:
        raise AssertionError(message)

    connection = asyncio.ensure_future(dispatch_each([receive, receive], dispatch))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    connection.cancel()
    with pytest.raises(asyncio.CancelledError):
        await connection
    assert ended == [True, True]
