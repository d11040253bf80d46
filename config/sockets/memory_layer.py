"""The channel layer of a site with one process, without Redis.

The in-memory layer of Channels looks at every channel and group of the process for each message,
copies the message for each channel of a group, and after a day forgets which channels a group has.
"""

from typing import Any
from uuid import uuid4

from channels.layers import BaseChannelLayer

from config.sockets.mailbox import Mailbox

Message = dict[str, Any]


class MemoryLayer(BaseChannelLayer):
    """All channels of a group get the same message object, which no reader may modify.

    A channel exists from `new_channel` or the first `receive` until `delete_channel`.
    """

    extensions = ["groups", "flush"]

    def __init__(self) -> None:
        super().__init__()
        self.channels: dict[str, Mailbox[Message]] = {}
        self.groups: dict[str, dict[str, None]] = {}  # channels in the order in which they joined

    async def new_channel(self, prefix: str = "specific") -> str:
        channel = f"{prefix}!{uuid4().hex}"
        self.channels[channel] = Mailbox()
        return channel

    async def delete_channel(self, channel: str) -> None:
        """Forget the channel and its messages; does nothing for an unknown one."""
        self.channels.pop(channel, None)

    async def send(self, channel: str, message: Message) -> None:
        mailbox = self.channels.get(channel)
        if mailbox is not None:
            mailbox.put_nowait(message)

    async def receive(self, channel: str) -> Message:
        if channel not in self.channels:
            self.channels[channel] = Mailbox()
        return await self.channels[channel].get()

    async def group_add(self, group: str, channel: str) -> None:
        self.require_valid_group_name(group)
        self.groups.setdefault(group, {})[channel] = None

    async def group_discard(self, group: str, channel: str) -> None:
        joined = self.groups.get(group, {})
        joined.pop(channel, None)
        if not joined:
            self.groups.pop(group, None)

    async def group_send(self, group: str, message: Message) -> None:
        self.require_valid_group_name(group)
        for channel in list(self.groups.get(group, ())):
            await self.send(channel, message)

    async def flush(self) -> None:
        self.channels.clear()
        self.groups.clear()
