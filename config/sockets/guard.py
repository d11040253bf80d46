"""The socket guard: checks of a connection before a consumer exists for it.

A consumer costs a channel-layer subscription, so strangers are refused here. A connection gets 403
before the handshake if its Origin is foreign or missing, if its network has too many sockets or
refusals in progress, or if its turn does not come in time when many arrive at once. The other
refusals come after the handshake, because browsers show a close code only then: 4001 for a client
without a session and without a visitor's cookie, 4008 for one with too many sockets, and 4008 with
the seconds to wait as the close reason for one that opens sockets too fast. Once a socket is let
in, its frames are checked against limits on size and rate.
"""

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable

from autobahn.exception import Disconnected
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.http import parse_cookie
from django.http.request import split_domain_port, validate_host

from accounts.members import guests
from accounts.sessions.identities import IDENTITIES, nobody
from accounts.sessions.keys import session_key_of
from accounts.sessions.visitors import visitor_of
from accounts.shared.client_address import address_group, address_shares
from accounts.shared.logs import ids as log_ids
from accounts.shared.rate_limits import TokenBucket
from config.http.asgi_scope import Application, Event, Receive, Scope, Send, header, scope_address
from config.sockets.rate_counters import Caps, Rates

NO_SESSION = 4001
TOO_FAST = 4008  # opens or sends too fast, or has too many sockets
TOO_LARGE = 4010  # Autobahn reserves 1009 for itself

# Limits on the frames of one socket: the size of each, the number at once and on average.
MAX_FRAME_BYTES = 4096
FRAME_BURST = 20
FRAMES_PER_SECOND = 5
# Openings allowed at once and per second, for each socket that an owner may have. They are
# limited since each costs a query and a consumer. An owner of up to ten sockets may open thirty at
# once (10 x 3) and then one a second (10 x 0.1): all pages reconnect after a restart.
OPENING_BURST = 3
OPENINGS_PER_SECOND = 0.1
# Seconds that an opening waits while others are let in. A page gives up twelve seconds after it
# began to connect (match-socket.js, site-socket.js).
LONGEST_WAIT_S = 10.0
# Seconds by which the refusal of an opening is delayed.
REFUSED_AFTER_S = 1.0
# The limit on a network's sockets of members, as a multiple of the limit for guests. Anybody can
# pose as many guests, who must not keep a member from a table where credits are at stake.
MEMBERS_FACTOR = 10


def is_own_origin(origin: str, host: str) -> bool:
    """Return whether a full origin (scheme, host, port) is this site's or a trusted one."""
    if origin in settings.CSRF_TRUSTED_ORIGINS:
        return True
    scheme = "https" if settings.SESSION_COOKIE_SECURE else "http"
    if origin != f"{scheme}://{host}":
        return False
    domain, _ = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)


def kind_of(scope: Scope) -> str:
    """Return the kind by which a socket is counted, so that pages do not use up tables' sockets."""
    return "page" if scope.get("path") == "/ws/site/" else "table"


def owner_key(
    session: SessionBase, user: AbstractBaseUser | AnonymousUser, visitor: str | None = None
) -> str:
    """Return the owner by whom sockets are counted: user, guest, session, or visitor's cookie."""
    if user.is_authenticated:
        return f"user:{user.pk}"
    guest = session.get(guests.KEY)
    if guest:
        return f"guest:{guest}"
    return f"visitor:{visitor}" if session.is_empty() else f"session:{session.session_key}"


async def refuse(
    receive: Receive, send: Send, code: int | None = None, wait_s: int | None = None
) -> None:
    """Refuse a connection: with 403 before the handshake or, given a `code`, by closing after it.

    The close reason is `wait_s`, the seconds to wait, if given.
    """
    await receive()  # websocket.connect
    if code is not None:
        await send({"type": "websocket.accept"})
        reason = {"reason": str(wait_s)} if wait_s else {}
        await send({"type": "websocket.close", "code": code, **reason})
    else:
        await send({"type": "websocket.close"})


class Gate:
    """Wrap `receive` and `send` of one connection in the limits on frames."""

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
        """Pass on the consumer's event unless the socket is already closed."""
        if self._closed:
            return
        self._closed = event["type"] == "websocket.close"
        try:
            await self._send(event)
        except Disconnected:  # the client is gone; the consumer gets the disconnect next
            self._closed = True

    async def _close(self, code: int) -> Event:
        await self.send({"type": "websocket.close", "code": code})
        return {"type": "websocket.disconnect", "code": code}


def frame_size(event: Event) -> int:
    text, data = event.get("text"), event.get("bytes")
    return len(text.encode()) if text is not None else len(data or b"")


class SocketGuard:
    """Guard the router of sockets: set `network`, `cookies`, `session`, `user` in the scope."""

    def __init__(self, inner: Application, clock: Callable[[], float] = time.monotonic) -> None:
        self._inner = inner
        self._clock = clock
        self.addresses = Caps()
        self.owners = Caps()
        self.openings = Rates()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        log_ids.request_id.set(secrets.token_hex(6))
        if not is_own_origin(header(scope, b"origin"), header(scope, b"host")):
            return await refuse(receive, send)
        address = scope_address(scope)
        network, shares = address_group(address), address_shares(address)
        cookies = parse_cookie(header(scope, b"cookie"))
        key, visitor = session_key_of(cookies), visitor_of(cookies)
        if not key and not visitor:
            return await refuse(receive, send, NO_SESSION)
        cookie = hashlib.sha256(str(key or visitor).encode()).hexdigest()
        if wait_s := self._count_opening(f"{kind_of(scope)} {cookie}", settings.SOCKETS_PER_USER):
            return await self._refuse_opening(network, wait_s, receive, send)
        limit = settings.SOCKETS_PER_ADDRESS
        arriving = {f"arriving {name}": share * limit for name, share in shares.items()}
        if not self.addresses.take_all(arriving):
            return await refuse(receive, send)
        try:
            async with asyncio.timeout(LONGEST_WAIT_S):
                session, user = await IDENTITIES[kind_of(scope)].read(key) if key else nobody()
        except TimeoutError:
            return await refuse(receive, send)
        finally:
            self.addresses.release_all(arriving)
        if session.is_empty() and not visitor:
            return await refuse(receive, send, NO_SESSION)
        log_ids.user_id.set(str(user.pk or ""))
        inside = {**scope, "network": network, "cookies": cookies, "session": session, "user": user}
        limit *= MEMBERS_FACTOR if user.is_authenticated else 1
        kind = f"{kind_of(scope)} {user.is_authenticated}"
        limits = {f"{kind} {name}": share * limit for name, share in shares.items()}
        if wait_s := max(self._count_opening(name, most) for name, most in limits.items()):
            return await self._refuse_opening(network, wait_s, receive, send)
        if not self.addresses.take_all(limits):
            return await refuse(receive, send)
        try:
            return await self._as_owner(inside, visitor, receive, send)
        finally:
            self.addresses.release_all(limits)

    def _count_opening(self, key: str, most: int) -> int:
        """Count an opening by an owner of up to `most` sockets; return seconds to wait, or 0."""
        burst, per_second = most * OPENING_BURST, most * OPENINGS_PER_SECOND
        return self.openings.take(key, burst, per_second, self._clock())

    async def _refuse_opening(
        self, network: str, wait_s: int, receive: Receive, send: Send
    ) -> None:
        """Refuse with a delay, so that a client that retries at once costs little."""
        refused = f"refused {network}"
        if not self.addresses.take(refused, settings.SOCKETS_PER_ADDRESS):
            return await refuse(receive, send)
        try:
            await asyncio.sleep(REFUSED_AFTER_S)
        finally:
            self.addresses.release(refused)
        return await refuse(receive, send, TOO_FAST, wait_s)

    async def _as_owner(
        self, scope: Scope, visitor: str | None, receive: Receive, send: Send
    ) -> None:
        owner = f"{kind_of(scope)} {owner_key(scope['session'], scope['user'], visitor)}"
        if wait_s := self._count_opening(owner, settings.SOCKETS_PER_USER):
            return await self._refuse_opening(scope["network"], wait_s, receive, send)
        if not self.owners.take(owner, settings.SOCKETS_PER_USER):
            return await refuse(receive, send, TOO_FAST)
        try:
            gate = Gate(receive, send, self._clock)
            return await self._inner(scope, gate.receive, gate.send)
        finally:
            self.owners.release(owner)
