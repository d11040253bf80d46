"""The channel layer over Redis, with bounded channels that can be freed.

channels_redis keeps an unbounded queue and a subscription for each channel, and frees them only
when a waiting `receive` is cancelled: a channel whose reader ended in any other way stays forever.
"""

import asyncio
import uuid
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from channels_redis.pubsub import (
    RedisPubSubChannelLayer,
    RedisPubSubLoopLayer,
    RedisSingleShardConnection,
)
from channels_redis.utils import _wrap_close, decode_hosts
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError

from accounts.shared.channels import FOR_GROUPS, messages_lost
from config.sockets.mailbox import Mailbox


class Subscriptions(PubSub):
    """The subscriptions of a connection, which are made again with each new connection."""

    async def on_connect(self, connection: Any) -> None:
        await super().on_connect(connection)
        messages_lost.send(type(self))


class Shard(RedisSingleShardConnection):
    """The connection to one server; sockets that come or go at the same time share its commands.

    `_changed` holds the channels whose subscription may have to begin or end. Whether a channel
    needs one is read from the layer, so it does not matter whose change comes first or fails.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._changed: set[str] = set()

    def _ensure_redis(self) -> None:
        is_new = self._redis is None
        super()._ensure_redis()
        if is_new:
            # The event loop of a thread without sockets runs only while it publishes. It learns
            # that Redis has closed the connection from the next message, which must not be lost.
            again = Retry(NoBackoff(), retries=1, supported_errors=(ConnectionError,))
            self._redis.set_retry(again)
            self._pubsub = Subscriptions(self._redis.connection_pool)

    async def subscribe(self, channel: str) -> None:
        await self._change(channel)

    async def unsubscribe(self, channel: str) -> None:
        await self._change(channel)

    async def _change(self, channel: str) -> None:
        self._changed.add(channel)
        async with self._lock:
            if channel in self._changed:  # otherwise another caller has changed it meanwhile
                await self._change_all()

    async def _change_all(self) -> None:
        await asyncio.sleep(0)  # all callers in this round of the event loop share a command
        changed, self._changed = self._changed, set()
        try:
            await self._command(changed)
        except BaseException:
            self._changed |= changed  # each waiting caller tries again
            raise

    async def _command(self, changed: set[str]) -> None:
        layer = self.channel_layer
        wanted = {name for name in changed if name in layer.channels or name in layer.groups}
        new, old = wanted - self._subscribed_to, (changed - wanted) & self._subscribed_to
        self._ensure_redis()
        self._ensure_receiver()
        if new:
            await self._pubsub.subscribe(*new)
            self._subscribed_to |= new
        if old:
            await self._pubsub.unsubscribe(*old)
            self._subscribed_to -= old


class LoopLayer(RedisPubSubLoopLayer):
    """The channels of one event loop."""

    def __init__(self, hosts: Any, **options: Any) -> None:
        super().__init__(hosts, **options)
        self._shards = [Shard(host, self) for host in decode_hosts(hosts)]

    async def new_channel(self, prefix: str = "specific.") -> str:
        """Return a new channel; with the prefix FOR_GROUPS, Redis does not know it."""
        if prefix != FOR_GROUPS:
            return str(await super().new_channel(prefix))
        channel = f"{self.prefix}{prefix}{uuid.uuid4().hex}"
        self.channels[channel] = Mailbox()
        return channel

    async def _subscribe_to_channel(self, channel: str) -> None:
        self.channels[channel] = Mailbox()
        try:
            await self._get_shard(channel).subscribe(channel)
        except BaseException:
            del self.channels[channel]
            raise

    async def group_send_many(self, messages: Iterable[tuple[str, dict[str, Any]]]) -> None:
        """Send each message to its group, in order, in one round trip for each server."""
        waiting: dict[Any, list[tuple[str, bytes]]] = defaultdict(list)
        for group, message in messages:
            name = self._get_group_channel_name(group)
            waiting[self._get_shard(name)].append((name, self.channel_layer.serialize(message)))
        for shard, published in waiting.items():
            async with shard._lock:
                shard._ensure_redis()
                pipeline = shard._redis.pipeline(transaction=False)
                for name, data in published:
                    pipeline.publish(name, data)
                await pipeline.execute()

    async def delete_channel(self, channel: str) -> None:
        """Forget the channel and end its subscription; does nothing for an unknown one."""
        if self.channels.pop(channel, None) is not None:
            await self._get_shard(channel).unsubscribe(channel)


class RedisLayer(RedisPubSubChannelLayer):
    """Decode a message once for a group's channels in this process; no reader may modify it."""

    _decoded: tuple[bytes, dict[str, Any]] | None = None

    def deserialize(self, message: bytes) -> dict[str, Any]:
        last = self._decoded
        if last is None or last[0] is not message:  # all channels get one object
            last = self._decoded = (message, super().deserialize(message))
        return last[1]

    def _get_layer(self) -> LoopLayer:
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            self._layers[loop] = LoopLayer(*self._args, **self._kwargs, channel_layer=self)
            _wrap_close(self, loop)
        layer: LoopLayer = self._layers[loop]
        return layer
