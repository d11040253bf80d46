"""What every socket of this site has in common: it outlives neither a fault nor its session."""

import json
import logging
from typing import Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from accounts.broadcast import session_group, user_group
from accounts.executor import hop
from accounts.open_sessions import OPEN_SESSIONS, owners

logger = logging.getLogger(__name__)

CLOSE_BROKEN = 4011  # Autobahn lets nobody but itself say 1011
CLOSE_SIGNED_OUT = 4001
CLOSE_UNREADABLE = 4009
MAX_UNREADABLE = 20


class SessionSocket(AsyncWebsocketConsumer):
    """A socket that is closed when its signed-in person's session ends. Guests have none to end.

    `bind` after accepting, `unbind` when leaving.
    """

    user_id: int | None = None
    session_key: str = ""
    unreadable: int = 0
    is_signed_out: bool = False

    async def dispatch(self, message: dict[str, Any]) -> None:
        """The last net: what fails outside a frame closes this connection, quietly for others."""
        if self.is_signed_out and message["type"] == "websocket.receive":
            return  # sent before the page heard that it is closed
        try:
            await super().dispatch(message)
        except StopConsumer:
            raise
        except Exception:
            logger.exception("%s failed", message.get("type"), extra=self.log_ids)
            await self.close(CLOSE_BROKEN)

    @property
    def log_ids(self) -> dict[str, str]:
        """What log lines about this connection bear beside the request's id."""
        return {}

    async def bind(self) -> bool:
        """Be told when the session ends; False, and closed, when it has ended already."""
        user = self.scope.get("user")
        if user is None or not user.is_authenticated:
            return True
        self.user_id = user.pk
        self.session_key = self.scope["session"].session_key or ""
        for group in self._groups():
            await self.channel_layer.group_add(group, self.channel_name)
        OPEN_SESSIONS.add(self)
        # Only now: a sign-out between the handshake and the groups was told to nobody.
        if (await hop(owners, [self.session_key])).get(self.session_key) == self.user_id:
            return True
        await self.sign_out()
        return False

    async def unbind(self) -> None:
        OPEN_SESSIONS.discard(self)
        for group in self._groups():
            await self.channel_layer.group_discard(group, self.channel_name)

    def _groups(self) -> list[str]:
        if self.user_id is None:
            return []
        return [user_group(self.user_id), session_group(self.session_key)]

    async def sign_out(self) -> None:
        self.is_signed_out = True
        OPEN_SESSIONS.discard(self)
        await self.close(CLOSE_SIGNED_OUT)

    async def site_close(self, message: dict[str, Any]) -> None:
        """The session was ended, or all of the person's."""
        await self.sign_out()

    async def site_nudge(self, message: dict[str, Any]) -> None:
        """News for the person's pages: only the site socket passes them on."""

    async def site_blocks(self, message: dict[str, Any]) -> None:
        """The person avoids or mutes somebody, or is avoided, since this moment: or no longer."""

    async def tell(self, frame: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(frame, separators=(",", ":")))

    async def count_unreadable(self) -> None:
        """Too many frames that nobody can read: that is no page of ours."""
        self.unreadable += 1
        if self.unreadable >= MAX_UNREADABLE:
            await self.close(CLOSE_UNREADABLE)
