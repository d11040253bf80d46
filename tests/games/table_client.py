"""Clients for tests of the table's socket: a Channels communicator runs the real consumer."""

import hashlib
import json
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

from asgiref.sync import sync_to_async
from channels.routing import URLRouter
from channels.testing import WebsocketCommunicator
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.test import Client as Browser

from accounts.models import User
from games.routing import websocket_urlpatterns

ROUTES = URLRouter(websocket_urlpatterns)
PATIENCE_S = 60
ENTROPY = bytes(range(16))


class Client:
    """A player's connection, which keeps the newest state or event and its seq (-1: none yet)."""

    def __init__(self, public_id: str, guest: UUID | None) -> None:
        self.socket = WebsocketCommunicator(ROUTES, f"/ws/match/{public_id}/")
        self.socket.scope["session"] = {"guest": str(guest)} if guest else {}
        self.socket.scope["user"] = AnonymousUser()
        self.seq = -1
        self.newest: dict[str, Any] = {}

    async def open(self) -> "Client":
        connected, _ = await self.socket.connect(timeout=PATIENCE_S)
        assert connected
        return self

    async def join(
        self, hold: bool = True, since: int = -1, token: str | None = None
    ) -> dict[str, Any]:
        await self.open()
        known = {} if token is None else {"token": token}
        await self.send(t="join", v=1, since=since, hold=hold, **known)
        return await self.until(lambda frame: frame["t"] == "state")

    async def send(self, **frame: Any) -> None:
        await self.socket.send_to(text_data=json.dumps(frame))

    async def receive(self) -> dict[str, Any]:
        frame: dict[str, Any] = json.loads(await self.socket.receive_from(timeout=PATIENCE_S))
        if frame["t"] in ("state", "event"):
            self.seq, self.newest = frame["seq"], frame
        return frame

    async def news(self, t: str) -> dict[str, Any]:
        """Receive frames up to the first one with this `t`; return it."""
        return await self.until(lambda frame: frame["t"] == t)

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """Receive frames up to the first one that is `wanted`; return it."""
        while True:
            frame = await self.receive()
            if wanted(frame):
                return frame

    async def command(self, t: str, **fields: Any) -> dict[str, Any]:
        """Send a command; return its error, or its ack after all events up to the ack's seq."""
        id = str(uuid4())
        await self.send(t=t, id=id, seq=self.seq, **fields)
        answer = await self.until(lambda frame: frame.get("id") == id)
        while answer["t"] == "ack" and self.seq < answer["seq"]:
            await self.receive()
        return answer

    async def start_game(self) -> None:
        await self.command("entropy_hash", hash=hashlib.sha256(ENTROPY).hexdigest())
        await self.command("entropy", entropy=ENTROPY.hex())
        while self.newest["may"] is None or self.newest["view"]["phase"] == "opening":
            await self.receive()

    async def close_code(self) -> int:
        event = await self.socket.receive_output(timeout=PATIENCE_S)
        assert event["type"] == "websocket.close", event
        return int(event["code"])

    async def close(self) -> None:
        await self.socket.disconnect(timeout=PATIENCE_S)
        # A communicator that times out cancels the consumer silently.
        assert not self.socket.future.cancelled(), "the consumer did not end by itself"


class MemberClient(Client):
    """A signed-in member's page."""

    def __init__(self, public_id: str, user: User, session: SessionBase) -> None:
        super().__init__(public_id, None)
        self.socket.scope["session"] = session
        self.socket.scope["user"] = user


@sync_to_async
def signed_in(public_id: str, user: User) -> MemberClient:
    """Return a client with the session of a browser in which the member has just signed in."""
    browser = Browser()
    browser.force_login(user)
    return MemberClient(public_id, user, browser.session)
