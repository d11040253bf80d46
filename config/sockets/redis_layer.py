"""The channel layer over Redis, with bounded channels that can be freed.

channels_redis keeps an unbounded queue and a subscription for each channel, and frees them only
when a waiting `receive` is cancelled: a channel whose reader ended in any other way stays forever.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from channels_redis.pubsub import RedisPubSubChannelLayer, RedisPubSubLoopLayer
from channels_redis.utils import _wrap_close

from config.sockets.mailbox import Mailbox


class LoopLayer(RedisPubSubLoopLayer):
    """The channels of one event loop."""

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
    """Decode a message once for this process's channels of its group; no reader may modify it."""

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
