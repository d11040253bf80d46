"""Answer a few HTTP requests of one network at once; its others wait for their turn.

Every request runs in a thread of its own, and all threads share one interpreter with the tables:
300 connections of one address made each command wait a second. A household or a mobile network
notices nothing, since a turn takes milliseconds.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from accounts.shared.client_address import address_group
from config.asgi_scope import Application, Receive, Scope, Send, scope_address

AT_ONCE = 6


class PageTurns:
    """Wraps the pages. A request that waits holds no thread and no database connection."""

    def __init__(self, pages: Application) -> None:
        self._pages = pages
        self._networks: dict[str, _Network] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._turn(address_group(scope_address(scope))):
            await self._pages(scope, receive, send)

    @asynccontextmanager
    async def _turn(self, name: str) -> AsyncIterator[None]:
        network = self._networks.setdefault(name, _Network())
        network.requests += 1
        try:
            async with network.turns:
                yield
        finally:
            network.requests -= 1
            if not network.requests:
                del self._networks[name]


class _Network:
    """The requests of one network, waiting ones included, and the turns they share."""

    def __init__(self) -> None:
        self.requests = 0
        self.turns = asyncio.Semaphore(AT_ONCE)
