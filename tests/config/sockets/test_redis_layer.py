"""Over Redis no channel outlives its reader, and the messages in a channel are limited.

The server reports the subscriptions of all its databases; these tests count those of their own.
"""

import asyncio
import fcntl
import os
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
import redis
from channels_redis.pubsub import RedisPubSubChannelLayer
from redis.asyncio.client import PubSub

from accounts.shared.channels import (
    free_channel,
    messages_lost,
    new_channel_for_groups,
    own_channel,
)
from config.sockets.mailbox import CAPACITY
from config.sockets.redis_layer import LoopLayer, RedisLayer
from tests.config.server import get
from tests.config.test_settings import PRODUCTION, read_setting
from tests.support.patience import PATIENCE_S
from tests.support.site_process import SiteProcess

SERVER = os.environ.get("TEST_REDIS_URL", "")
# Other test processes use the databases from 0 on, one each; Redis has 16.
OWN_DATABASE = 15
OWN_URL = f"{SERVER.rpartition('/')[0]}/{OWN_DATABASE}"
LOCK = Path(tempfile.gettempdir()) / f"redis-{OWN_DATABASE}-{os.getuid()}.lock"
REQUESTS = 25

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not SERVER, reason="needs Redis: set TEST_REDIS_URL"),
]


def subscriptions(client: redis.Redis) -> int:
    """Return the number of channels that clients of this test's database listen to."""
    clients: Any = client.client_list()
    return sum(int(each["sub"]) for each in clients if int(each["db"]) == OWN_DATABASE)


@pytest.fixture(autouse=True)
def _alone() -> Iterator[None]:
    """Let one test at a time use the database: a parallel run may split this file."""
    with LOCK.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@pytest.fixture
def client() -> Iterator[redis.Redis]:
    with redis.Redis.from_url(SERVER) as client:
        yield client


@pytest_asyncio.fixture
async def layer() -> AsyncIterator[LoopLayer]:
    layer = RedisLayer(hosts=[OWN_URL])._get_layer()
    yield layer
    await layer.flush()


@pytest.mark.asyncio
async def test_a_channel_without_a_reader_keeps_a_bounded_number_of_messages(
    layer: LoopLayer,
) -> None:
    async with own_channel(layer) as flooded, own_channel(layer) as last:
        for number in range(2 * CAPACITY):
            await layer.send(flooded, {"type": "note", "number": number})
        # Redis keeps the order of one connection: all earlier messages arrive before this one.
        await layer.send(last, {"type": "end"})
        assert await layer.receive(last) == {"type": "end"}
        assert len(layer.channels[flooded]) == CAPACITY
        assert (await layer.receive(flooded))["number"] == 0
        await layer.send(flooded, {"type": "note", "number": -1})
        async with asyncio.timeout(60):
            while (await layer.receive(flooded))["number"] != -1:  # the layer still delivers
                pass


@pytest.mark.asyncio
async def test_a_channel_is_freed_with_messages_unread(
    layer: LoopLayer, client: redis.Redis
) -> None:
    """A consumer may end before it reads its message, and then no `receive` is pending."""
    before = subscriptions(client)
    channel = await layer.new_channel()
    assert subscriptions(client) == before + 1
    await layer.send(channel, {"type": "note"})
    await free_channel(layer, channel)
    await free_channel(layer, channel)
    assert layer.channels == {}
    assert subscriptions(client) == before


@pytest.mark.asyncio
async def test_messages_sent_together_arrive_in_order_at_the_channels_of_their_group(
    layer: LoopLayer,
) -> None:
    async with own_channel(layer) as anna, own_channel(layer) as boris:
        for group, channel in (("a", anna), ("b", boris), ("both", anna), ("both", boris)):
            await layer.group_add(group, channel)
        sent = [("a", 1), ("both", 2), ("b", 3), ("empty", 4), ("a", 5), ("both", 6)]
        await layer.group_send_many(
            [(group, {"type": "note", "number": number}) for group, number in sent]
        )
        assert [(await layer.receive(anna))["number"] for _ in range(4)] == [1, 2, 5, 6]
        assert [(await layer.receive(boris))["number"] for _ in range(3)] == [2, 3, 6]


@pytest.mark.asyncio
async def test_sites_in_two_databases_of_one_server_do_not_get_each_others_messages() -> None:
    urls = [f"{SERVER.rpartition('/')[0]}/{number}" for number in (OWN_DATABASE, OWN_DATABASE - 1)]
    read = [read_setting(["CHANNEL_LAYERS"], PRODUCTION | {"REDIS_URL": url}) for url in urls]
    ours, theirs = (RedisLayer(**each["default"]["CONFIG"])._get_layer() for (each,) in read)
    async with own_channel(ours) as listener:
        await ours.group_add("topic.seeks", listener)
        await theirs.group_send("topic.seeks", {"type": "note", "number": 1})
        await ours.group_send("topic.seeks", {"type": "note", "number": 2})
        assert (await ours.receive(listener))["number"] == 2
        assert len(ours.channels[listener]) == 0
    for layer in (ours, theirs):
        await layer.flush()


@pytest.mark.asyncio
async def test_a_message_is_decoded_once_for_all_channels_of_its_group(
    layer: LoopLayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[bytes] = []
    decode = RedisPubSubChannelLayer.deserialize

    def counted(layer: RedisPubSubChannelLayer, data: bytes) -> Any:
        decoded.append(data)
        return decode(layer, data)

    monkeypatch.setattr(RedisPubSubChannelLayer, "deserialize", counted)
    async with own_channel(layer) as anna, own_channel(layer) as boris:
        for channel in (anna, boris):
            await layer.group_add("table", channel)
        for number in (1, 2):
            await layer.group_send("table", {"type": "note", "number": number})
            assert (await layer.receive(anna))["number"] == number
            assert (await layer.receive(boris))["number"] == number
    assert len(decoded) == 2


@pytest.mark.asyncio
async def test_a_channel_for_groups_is_unknown_to_redis_and_gets_their_messages(
    layer: LoopLayer, client: redis.Redis
) -> None:
    before = subscriptions(client)
    channel = await new_channel_for_groups(layer)
    assert subscriptions(client) == before
    await layer.group_add("table", channel)
    await layer.group_send("table", {"type": "note", "number": 1})
    assert (await layer.receive(channel))["number"] == 1
    await layer.group_discard("table", channel)
    await free_channel(layer, channel)
    assert layer.channels == {}
    assert subscriptions(client) == before


@pytest.fixture
def commands(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets the name of each `subscribe` and `unsubscribe` command."""
    found: list[str] = []

    def counted(name: str) -> Any:
        command = getattr(PubSub, name)

        def count(pubsub: PubSub, *channels: str) -> Any:
            found.append(name)
            return command(pubsub, *channels)

        return count

    for name in ("subscribe", "unsubscribe"):
        monkeypatch.setattr(PubSub, name, counted(name))
    return found


@pytest.mark.asyncio
async def test_channels_that_come_and_go_together_share_commands(
    layer: LoopLayer, commands: list[str]
) -> None:
    channel = await new_channel_for_groups(layer)
    groups = [f"table{number}" for number in range(20)]
    await asyncio.gather(*(layer.group_add(group, channel) for group in groups))
    assert commands == ["subscribe"]
    for group in groups:
        await layer.group_send(group, {"type": "note", "group": group})
        assert (await layer.receive(channel))["group"] == group
    await asyncio.gather(*(layer.group_discard(group, channel) for group in groups))
    assert commands == ["subscribe", "unsubscribe"]
    await free_channel(layer, channel)


@pytest.mark.asyncio
async def test_after_a_failed_subscription_each_channel_of_the_group_tries_again(
    layer: LoopLayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise pages whose channels joined meanwhile would stay connected and get no messages."""
    channels = [await new_channel_for_groups(layer) for _ in range(3)]
    subscribe, is_down = PubSub.subscribe, True

    async def fail_at_first(pubsub: PubSub, *names: str) -> None:
        nonlocal is_down
        await asyncio.sleep(0)
        if is_down:
            is_down = False
            raise redis.ConnectionError
        await subscribe(pubsub, *names)

    monkeypatch.setattr(PubSub, "subscribe", fail_at_first)
    adding = [layer.group_add("table", channel) for channel in channels]
    found = await asyncio.gather(*adding, return_exceptions=True)
    assert [type(each) for each in found] == [redis.ConnectionError, type(None), type(None)]
    await layer.group_send("table", {"type": "note", "number": 1})
    for channel in channels[1:]:
        assert (await layer.receive(channel))["number"] == 1


@pytest.mark.asyncio
async def test_a_group_that_is_left_while_it_is_joined_stays_joined_by_the_others(
    layer: LoopLayer, client: redis.Redis
) -> None:
    before = subscriptions(client)
    leaving, staying = [await new_channel_for_groups(layer) for _ in range(2)]
    await asyncio.gather(
        layer.group_add("table", leaving),
        layer.group_discard("table", leaving),
        layer.group_add("table", staying),
        layer.group_add("left", leaving),
        layer.group_discard("left", leaving),
    )
    await layer.group_send("table", {"type": "note", "number": 1})
    assert (await layer.receive(staying))["number"] == 1
    assert subscriptions(client) == before + 1


@pytest.mark.asyncio
async def test_a_channel_is_not_kept_if_its_subscription_fails() -> None:
    layer = RedisLayer(hosts=["redis://127.0.0.1:1/0"])._get_layer()
    with pytest.raises(redis.ConnectionError):
        await layer.new_channel()
    assert layer.channels == {}
    await layer.flush()


@pytest.mark.asyncio
async def test_a_layer_that_is_back_says_that_messages_were_lost(
    layer: LoopLayer, client: redis.Redis
) -> None:
    lost = asyncio.Event()

    def note(**_signal: Any) -> None:
        lost.set()

    channel = await new_channel_for_groups(layer)
    await layer.group_add("table", channel)
    messages_lost.connect(note)
    try:
        assert not lost.is_set()
        clients: Any = client.client_list()
        for each in clients:
            if int(each["db"]) == OWN_DATABASE and int(each["sub"]):
                client.client_kill_filter(_id=each["id"])
        async with asyncio.timeout(60):
            await lost.wait()
    finally:
        messages_lost.disconnect(note)
    await layer.group_send("table", {"type": "note", "number": 1})
    assert (await layer.receive(channel))["number"] == 1


@pytest.mark.parametrize("count", [1, 2])
def test_messages_after_redis_has_closed_an_idle_connection_arrive(
    client: redis.Redis, count: int
) -> None:
    layer = RedisLayer(hosts=[OWN_URL])

    async def send(text: str) -> None:
        messages = [("table", {"type": "note", "text": text}) for _ in range(count)]
        await layer._get_layer().group_send_many(messages)

    with client.pubsub(ignore_subscribe_messages=True) as reader, asyncio.Runner() as runner:
        reader.subscribe("asgi__group__table")
        runner.run(send("before"))
        clients: Any = client.client_list()
        ended = [each["id"] for each in clients if int(each["db"]) == OWN_DATABASE]
        assert ended
        for number in ended:
            client.client_kill_filter(_id=number)
        # The loop runs only while it sends, so it has not seen the end of its connection.
        runner.run(send("after"))
        received: list[str] = []
        end = time.monotonic() + PATIENCE_S
        while len(received) < 2 * count and time.monotonic() < end:
            message = reader.get_message(timeout=0.1)
            if message is not None:
                received.append(layer.deserialize(message["data"])["text"])
    assert received == ["before"] * count + ["after"] * count


def test_requests_for_readiness_leave_no_subscription_behind(
    client: redis.Redis, tmp_path: Path
) -> None:
    with SiteProcess(tmp_path, REDIS_URL=OWN_URL) as site:
        get(f"{site.base}/readyz")
        before = subscriptions(client)
        answered, end = 0, time.monotonic() + PATIENCE_S
        while answered < REQUESTS:  # where the machine stalls, the layer may answer too late
            assert time.monotonic() < end
            answered += '"layer": true' in get(f"{site.base}/readyz")[1]
        assert subscriptions(client) == before
