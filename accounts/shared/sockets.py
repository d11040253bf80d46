"""The base of the site's sockets: closes on errors and at the end of its session."""

import json
import logging
from typing import Any

from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer

from accounts.broadcast import session_group, user_group
from accounts.shared.database_threads import run_in_db_thread
from accounts.shared.open_sockets import OPEN_SESSIONS, owners

logger = logging.getLogger(__name__)

CLOSE_BROKEN = 4011  # Autobahn reserves 1011 for itself
CLOSE_SIGNED_OUT = 4001
CLOSE_UNREADABLE = 4009
MAX_UNREADABLE = 20


class SessionSocket(AsyncWebsocketConsumer):
    """A socket that closes when its user's session ends; a guest's has no session to end.

    Call `bind` after accepting and `unbind` when leaving.
    """

    user_id: int | None = None
    session_key: str = ""
    unreadable: int = 0
    is_signed_out: bool = False

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Close this connection on any error outside a frame, and log it."""
        if self.is_signed_out and message["type"] == "websocket.receive":
            return  # sent before the page received the close
        try:
            await super().dispatch(message)
        except StopConsumer:
            raise
        except Exception:
            logger.exception("%s failed", message.get("type"), extra=self.log_ids)
            await self.close(CLOSE_BROKEN)

    @property
    def log_ids(self) -> dict[str, str]:
        """Extra fields of this connection's log lines, beside the request's id."""
        return {}

    async def bind(self) -> bool:
        """Join the groups of user and session; close and return False if the session has ended."""
        user = self.scope.get("user")
        if user is None or not user.is_authenticated:
            return True
        self.user_id = user.pk
        self.session_key = self.scope["session"].session_key or ""
        for group in self._groups():
            await self.channel_layer.group_add(group, self.channel_name)
        OPEN_SESSIONS.add(self)
        # After joining: a sign-out between handshake and group_add reached no socket.
        if (await run_in_db_thread(owners, [self.session_key])).get(
            self.session_key
        ) == self.user_id:
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
        """Close after the end of the session, or of all sessions of the user."""
        await self.sign_out()

    async def site_nudge(self, message: dict[str, Any]) -> None:
        """Ignore nudges: only the site socket passes them on."""

    async def site_blocks(self, message: dict[str, Any]) -> None:
        """Handle a changed block or mute of the user, made by either side."""

    async def send_frame(self, frame: dict[str, Any]) -> None:
        await self.send(text_data=json.dumps(frame, separators=(",", ":")))

    async def count_unreadable(self) -> None:
        """Close after MAX_UNREADABLE frames: that is not a page of ours."""
        self.unreadable += 1
        if self.unreadable >= MAX_UNREADABLE:
            await self.close(CLOSE_UNREADABLE)
