"""Answer a few HTTP requests of one network at once; its other requests wait for their turn.

Every request runs in its own thread, and all threads share one interpreter with the sockets of
matches: 300 connections of one address made each command of a player wait a second. A household or
a mobile network notices nothing, since a turn takes milliseconds. All networks together have a
bound too: requests beyond it wait here, since a wait for a connection of the pool ends in an error
after some seconds.

Daphne holds the whole body of a request in memory until the page reads it. So waiting requests are
limited in number and in bytes; the answer to further ones is 429.
"""

import asyncio
from contextlib import AsyncExitStack

from accounts.shared.client_address import address_shares
from config.http.asgi_scope import Application, Receive, Scope, Send, header, scope_address
from config.http.body_limit import MAX_BODY_BYTES

# Requests of one network that are answered at once.
AT_ONCE = 6
# Turns of a wide IPv6 network (/48), as a multiple of AT_ONCE; the product is below ALL_AT_ONCE.
WIDE_TURNS = 4
# Requests of all networks that are answered at once. About three for each connection of the pool:
# some wait for a picture's decoder, a fold or a payment provider and hold no connection.
ALL_AT_ONCE = 40
# Requests of one network, including waiting ones; far more than the files of a page.
MOST_REQUESTS = 500
# Bytes of large bodies that one network, and all networks together, may have in this process.
NETWORK_BYTES = 3 * MAX_BODY_BYTES
ALL_BYTES = 4 * NETWORK_BYTES
# Bytes of a wide IPv6 network, as a multiple of NETWORK_BYTES; the product is below ALL_BYTES.
WIDE_BYTES = 2
# A smaller body does not count: MOST_REQUESTS of them need little memory, and forms must not be
# refused.
LARGE_BYTES = 64 * 1024
RETRY_AFTER_S = 5


class PageTurns:
    """Wraps the pages. A request that waits holds no thread and no database connection."""

    def __init__(self, pages: Application) -> None:
        self._pages = pages
        self._networks: dict[str, _Network] = {}
        self._bytes = 0
        self._turns = asyncio.Semaphore(ALL_AT_ONCE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        shares, size = address_shares(scope_address(scope)), body_size(scope)
        is_full = bool(size) and self._bytes + size > ALL_BYTES
        if is_full or not all(self._has_room(name, shares[name], size) for name in shares):
            await refuse(receive, send)
            return
        async with AsyncExitStack() as stack:
            self._bytes += size
            stack.callback(self._forget, size)
            # Count before the first turn, since the bodies of waiting requests are in memory.
            networks = [self._enter(stack, name, shares[name], size) for name in shares]
            for network in networks:
                await stack.enter_async_context(network.turns)
            await stack.enter_async_context(self._turns)
            await self._pages(scope, receive, send)

    def _has_room(self, name: str, share: int, size: int) -> bool:
        network = self._networks.get(name)
        if network is None:
            return True
        if network.requests >= MOST_REQUESTS * share:
            return False
        return not size or network.bytes + size <= NETWORK_BYTES * min(share, WIDE_BYTES)

    def _enter(self, stack: AsyncExitStack, name: str, share: int, size: int) -> "_Network":
        network = self._networks.setdefault(name, _Network(share))
        network.requests += 1
        network.bytes += size
        stack.callback(self._leave, name, size)
        return network

    def _leave(self, name: str, size: int) -> None:
        network = self._networks[name]
        network.bytes -= size
        network.requests -= 1
        if not network.requests:
            del self._networks[name]

    def _forget(self, size: int) -> None:
        self._bytes -= size


def body_size(scope: Scope) -> int:
    """Return the bytes to count for a body: 0 if small, MAX_BODY_BYTES if the length is unknown."""
    length = header(scope, b"content-length")
    if length.isascii() and length.isdecimal():
        return size if (size := min(int(length[:20]), MAX_BODY_BYTES)) > LARGE_BYTES else 0
    names = {name for name, _ in scope["headers"]}
    return MAX_BODY_BYTES if names & {b"content-length", b"transfer-encoding"} else 0


async def refuse(receive: Receive, send: Send) -> None:
    """Read the body, so that it leaves the memory, then answer 429."""
    while (await receive()).get("more_body", False):
        pass
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"retry-after", str(RETRY_AFTER_S).encode()),
    ]
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    text = b"Too many requests at once. Please try again in a moment.\n"
    await send({"type": "http.response.body", "body": text})


class _Network:
    """The requests of one network, including waiting ones, and the turns that they share.

    `share` is the factor of the limits: more than 1 for a wide network.
    """

    def __init__(self, share: int) -> None:
        self.requests = 0
        self.bytes = 0  # bytes of the large bodies
        self.turns = asyncio.Semaphore(AT_ONCE * min(share, WIDE_TURNS))
