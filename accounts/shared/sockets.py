"""The base of the site's sockets, which close on errors and at the end of their session."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any

import orjson
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer

from accounts.broadcast import session_group, user_group
from accounts.shared.channels import free_channel, new_channel_for_groups
from accounts.shared.open_sockets import OPEN_SOCKETS, OWNERS

logger = logging.getLogger(__name__)

CLOSE_BROKEN = 4011  # Autobahn reserves 1011 for itself
CLOSE_SIGNED_OUT = 4001
CLOSE_UNREADABLE = 4009
MAX_UNREADABLE = 20  # frames, then the socket is closed

Message = dict[str, Any]


async def dispatch_each(
    sources: Iterable[Callable[[], Awaitable[Message]]],
    dispatch: Callable[[Message], Awaitable[None]],
) -> None:
    """Dispatch the messages of all sources one at a time; the first error ends all and is raised.

    `channels.utils.await_many_dispatch` makes a task for each message and waits for all sources
    again, which takes three times the processor time.
    """
    turn = asyncio.Lock()
    is_over = False

    async def pump(receive: Callable[[], Awaitable[Message]]) -> None:
        nonlocal is_over
        while True:
            message = await receive()
            async with turn:
                if is_over:
                    return
                try:
                    await dispatch(message)
                except BaseException:
                    is_over = True
                    raise

    pumps = [asyncio.ensure_future(pump(receive)) for receive in sources]
    try:
        ended, _ = await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        for each in ended:
            each.result()
    finally:
        for each in pumps:
            each.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)


class SessionSocket(AsyncWebsocketConsumer):
    """A socket that closes when its user's session ends; a guest's socket stays open.

    Call `bind` after accepting. However the connection ends, `leave_layer` runs last.
    """

    user_id: int | None = None
    session_key: str = ""
    unreadable: int = 0
    is_signed_out: bool = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._joined: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Do what Channels does, but wait for the next message by `dispatch_each`."""
        self.scope, self.base_send = scope, send
        layer = get_channel_layer(self.channel_layer_alias)
        assert layer is not None
        self.channel_layer = layer
        try:
            self.channel_name = await new_channel_for_groups(layer)
            from_layer = partial(layer.receive, self.channel_name)
            await dispatch_each([receive, from_layer], self.dispatch)
        except StopConsumer:
            pass
        finally:  # a cancelled connection gets no disconnect
            await self.leave_layer()

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Handle a message; log an error that its handler lets through, and close."""
        if self.is_signed_out and message["type"] == "websocket.receive":
            return  # sent before the page received the close
        try:
            await self._handle(message)
        except StopConsumer:
            raise
        except Exception:
            logger.exception("%s failed", message.get("type"))
            if message.get("type") == "websocket.disconnect":
                raise StopConsumer from None  # nothing else would end this consumer
            await self.close(CLOSE_BROKEN)

    async def _handle(self, message: dict[str, Any]) -> None:
        """Call the message's handler.

        Channels would first close old database connections, in its one thread for synchronous code,
        which costs a change of threads for each message. Here the database threads close their own.
        """
        handler = getattr(self, get_handler_name(message), None)
        if handler is None:
            raise ValueError(f"no handler for messages of the type {message['type']}")
        await handler(message)

    async def bind(self) -> bool:
        """Join the groups of user and session; close and return False if the session has ended."""
        user = self.scope.get("user")
        if user is None or not user.is_authenticated:
            return True
        self.user_id = user.pk
        self.session_key = self.scope["session"].session_key or ""
        for group in (user_group(self.user_id), session_group(self.session_key)):
            await self.join_group(group)
        OPEN_SOCKETS.add(self)
        # Checked after joining: a sign-out between handshake and group_add reached no socket.
        if await OWNERS.read(self.session_key) == self.user_id:
            return True
        await self.sign_out()
        return False

    async def join_group(self, group: str) -> None:
        """Join a group of the channel layer until this connection ends."""
        self._joined.append(group)
        await self.channel_layer.group_add(group, self.channel_name)

    async def leave_layer(self) -> None:
        """Leave all groups and free the channel; log what fails and go on."""
        OPEN_SOCKETS.discard(self)
        while self._joined:
            try:
                await self.channel_layer.group_discard(self._joined.pop(), self.channel_name)
            except Exception:
                logger.exception("group not left")
        if hasattr(self, "channel_name"):
            await free_channel(self.channel_layer, self.channel_name)

    async def sign_out(self) -> None:
        self.is_signed_out = True
        OPEN_SOCKETS.discard(self)
        await self.close(CLOSE_SIGNED_OUT)

    async def site_close(self, message: dict[str, Any]) -> None:
        """Close after the end of the session, or of all sessions of the user."""
        await self.sign_out()

    async def site_nudge(self, message: dict[str, Any]) -> None:
        """Ignore nudges: only the site socket passes them on."""

    async def site_blocks(self, message: dict[str, Any]) -> None:
        """Ignore a changed block or mute of the user; the socket of a table overrides this."""

    async def send_frame(self, frame: dict[str, Any]) -> None:
        await self.send(text_data=orjson.dumps(frame).decode())

    async def count_unreadable(self) -> None:
        """Close after MAX_UNREADABLE unreadable frames: no page of ours sends them."""
        self.unreadable += 1
        if self.unreadable >= MAX_UNREADABLE:
            await self.close(CLOSE_UNREADABLE)
