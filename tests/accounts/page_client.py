"""A page's socket in tests: the real guard and consumers behind a communicator."""

import json
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.test import Client

from accounts.models import User
from config.routing import sockets
from tests.support.sockets import PatientSocket

ORIGIN = [(b"host", b"testserver"), (b"origin", b"http://testserver")]


@sync_to_async
def signed_in(user: User) -> Client:
    """Return a browser in which the user is signed in."""
    browser = Client()
    browser.force_login(user)
    return browser


def key_of(browser: Client) -> str:
    return browser.cookies[settings.SESSION_COOKIE_NAME].value


def cookie_header(browser: Client) -> str:
    """Return the browser's cookies as the header `Cookie` has them."""
    return "; ".join(f"{name}={each.value}" for name, each in browser.cookies.items())


class PageSocket:
    """A socket that a page opens: the site's own, or a table's."""

    def __init__(self, browser: Client | None, path: str = "/ws/site/") -> None:
        headers = list(ORIGIN)
        if browser is not None:
            headers.append((b"cookie", cookie_header(browser).encode()))
        self.socket = PatientSocket(sockets, path, headers=headers)
        self.socket.scope["client"] = ["192.0.2.1", 50000]

    async def open(self) -> "PageSocket":
        connected, _ = await self.socket.connect()
        assert connected
        return self

    async def greeted(self) -> "PageSocket":
        """Connect and expect the greeting."""
        await self.open()
        assert await self.receive() == {"t": "hello", "v": 1}
        return self

    async def send(self, text: str) -> None:
        await self.socket.send_input({"type": "websocket.receive", "text": text})

    async def say(self, **frame: Any) -> None:
        await self.send(json.dumps(frame))

    async def receive(self) -> dict[str, Any]:
        frame: dict[str, Any] = json.loads(await self.socket.receive_from())
        return frame

    async def close_code(self) -> int:
        event = await self.socket.receive_output()
        assert event["type"] == "websocket.close", event
        return int(event["code"])

    async def is_open(self) -> bool:
        """Return whether the socket answers a ping and no other frame waits."""
        await self.say(t="ping")
        return await self.receive() == {"t": "pong"}

    async def leave(self) -> None:
        await self.socket.disconnect()
        # A communicator that times out cancels the consumer silently.
        assert not self.socket.future.cancelled(), "the consumer did not end by itself"
