"""The socket guard: what a connection must show before a consumer exists for it.

A consumer costs a channel-layer subscription, so strangers are turned away here: a foreign or
missing Origin and a crowded address with 403 before the handshake; a visitor without a session
(4001) and one with too many sockets (4008) after it, since browsers show a close code only then.
Later frames pass a size and a rate limit on their way in.
"""

import secrets
import time
from collections.abc import Awaitable, Callable
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from autobahn.exception import Disconnected
from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.http import parse_cookie
from django.http.request import split_domain_port, validate_host

from accounts.shared.client_address import address_group, trusted_address
from accounts.shared.database_threads import hop
from config import logs
from config.rate_counters import Caps, TokenBucket

NO_SESSION = 4001
TOO_FAST = 4008
TOO_LARGE = 4010  # Autobahn lets nobody but itself say 1009

MAX_FRAME_BYTES = 4096
FRAME_BURST = 20
FRAMES_PER_SECOND = 5

Scope = dict[str, Any]
Event = dict[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Application = Callable[..., Awaitable[None]]


def header(scope: Scope, name: bytes) -> str:
    """The header's only value; "" when it is absent or, where that would be a trick, repeated."""
    values = [value for key, value in scope.get("headers", []) if key == name]
    return values[0].decode("latin1") if len(values) == 1 else ""


def is_own_origin(origin: str, host: str) -> bool:
    """Whether a full origin (scheme, host, port) is this site's or one that we trust by name."""
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    scheme = "https" if settings.SESSION_COOKIE_SECURE else "http"
    if origin != f"{scheme}://{host}":
        return False
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def scope_address(scope: Scope) -> str:
    forwarded = b",".join(v for k, v in scope.get("headers", []) if k == b"x-forwarded-for")
    peer = (scope.get("client") or [""])[0]
    return trusted_address(peer or "", forwarded.decode("latin1"), settings.PROXY_COUNT)


def identify(session_key: str | None) -> tuple[SessionBase, AbstractBaseUser | AnonymousUser]:
    """Session and user of a cookie, in one visit to the database. An unknown key: an empty one."""
    session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
    session.is_empty()  # loads it
    return session, get_user(SimpleNamespace(session=session))  # type: ignore[arg-type]


def kind_of(scope: Scope) -> str:
    """What a socket counts as. Each page of a member has one: they must not use up the tables'."""
    return "page" if scope.get("path") == "/ws/site/" else "table"


def owner_key(session: SessionBase, user: AbstractBaseUser | AnonymousUser) -> str:
    """Whose socket it is, for the cap: a user, a guest, or merely a session."""
    if user.is_authenticated:
        return f"user:{user.pk}"
    guest = session.get("guest")
    return f"guest:{guest}" if guest else f"session:{session.session_key}"


async def refuse(receive: Receive, send: Send, code: int | None = None) -> None:
    """Turn a connection away: with 403 before the handshake, or with a close code after it."""
    await receive()  # websocket.connect
    if code is not None:
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.close", "code": code})
    else:
        await send({"type": "websocket.close"})


class Gate:
    """One connection's `receive` and `send` with the limits on frames."""

    def __init__(self, receive: Receive, send: Send, clock: Callable[[], float]) -> None:
        self._receive = receive
        self._send = send
        self._clock = clock
        self._bucket = TokenBucket(FRAME_BURST, FRAMES_PER_SECOND, clock())
        self._closed = False

    async def receive(self) -> Event:
        event = await self._receive()
        if event["type"] != "websocket.receive":
            return event
        if frame_size(event) > MAX_FRAME_BYTES:
            return await self._close(TOO_LARGE)
        if not self._bucket.take(self._clock()):
            return await self._close(TOO_FAST)
        return event

    async def send(self, event: Event) -> None:
        """Pass on what the consumer says, unless the door is closed already."""
        if self._closed:
            return
        self._closed = event["type"] == "websocket.close"
        try:
            await self._send(event)
        except Disconnected:  # the other side has gone: that it has, the consumer is told next
            self._closed = True

    async def _close(self, code: int) -> Event:
        await self.send({"type": "websocket.close", "code": code})
        return {"type": "websocket.disconnect", "code": code}


def frame_size(event: Event) -> int:
    text, data = event.get("text"), event.get("bytes")
    return len(text.encode()) if text is not None else len(data or b"")


class SocketGuard:
    """ASGI middleware around the router of sockets; fills `cookies`, `session` and `user`."""

    def __init__(self, inner: Application, clock: Callable[[], float] = time.monotonic) -> None:
        self._inner = inner
        self._clock = clock
        self.addresses = Caps()
        self.owners = Caps()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        logs.request_id.set(secrets.token_hex(6))
        if not is_own_origin(header(scope, b"origin"), header(scope, b"host")):
            return await refuse(receive, send)
        place = f"{kind_of(scope)} {address_group(scope_address(scope))}"
        if not self.addresses.take(place, settings.SOCKETS_PER_ADDRESS):
            return await refuse(receive, send)
        try:
            return await self._with_session(scope, receive, send)
        finally:
            self.addresses.release(place)

    async def _with_session(self, scope: Scope, receive: Receive, send: Send) -> None:
        cookies = parse_cookie(header(scope, b"cookie"))
        key = cookies.get(settings.SESSION_COOKIE_NAME)
        if not key:
            return await refuse(receive, send, NO_SESSION)
        session, user = await hop(identify, key)
        if session.is_empty():
            return await refuse(receive, send, NO_SESSION)
        owner = f"{kind_of(scope)} {owner_key(session, user)}"
        if not self.owners.take(owner, settings.SOCKETS_PER_USER):
            return await refuse(receive, send, TOO_FAST)
        try:
            gate = Gate(receive, send, self._clock)
            inside = {**scope, "cookies": cookies, "session": session, "user": user}
            return await self._inner(inside, gate.receive, gate.send)
        finally:
            self.owners.release(owner)
