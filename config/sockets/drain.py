"""End the connections of a web process that is about to stop.

For a while its `/readyz` answers 503, so that a balancer sends new visitors elsewhere. Then the
process refuses connections, and closes its sockets one after the other, so that their pages do not
all reconnect to another process at the same moment.
"""

import asyncio
from collections.abc import Iterable
from typing import Any

RESTARTING = 4013  # close code
# Far fewer than another process can open in a second (config/README.md, "Sizes"), so that it goes
# on serving those who play.
SOCKETS_PER_SECOND = 25
# Longest time over which the closing of the sockets is spread.
LONGEST_SPREAD_S = 20.0
# Seconds for consumers to leave their seats, and for pages to be answered.
LAST_ANSWERS_S = 5.0


class Drain:
    """`has_begun`: this process was asked to stop; `is_closed`: it refuses new connections."""

    def __init__(self) -> None:
        self.has_begun = self.is_closed = False

    async def run(self, server: Any, ports: Iterable[Any], wait_s: float) -> None:
        """Drain a Daphne server whose open ports are `ports`; return when it is idle."""
        self.has_begun = True
        await asyncio.sleep(wait_s)
        for port in ports:
            port.stopListening()
        self.is_closed = True
        await self._close(server)
        # Again, for sockets whose handshake was going on meanwhile.
        await self._close(server)
        await self._end_applications(server)

    async def _close(self, server: Any) -> None:
        found = [each for each in server.connections if _is_open(each)]
        pause_s = min(1 / SOCKETS_PER_SECOND, LONGEST_SPREAD_S / max(1, len(found)))
        for protocol in found:
            if _is_open(protocol):
                protocol.sendClose(code=RESTARTING)
            await asyncio.sleep(pause_s)

    async def _end_applications(self, server: Any) -> None:
        """Wait for consumers and requests, then cancel what is left."""
        all_of_them = (each.get("application_instance") for each in server.connections.values())
        working = [each for each in all_of_them if each is not None and not each.done()]
        if not working:
            return
        _, left = await asyncio.wait(working, timeout=LAST_ANSWERS_S)
        for each in left:
            each.cancel()
        if left:  # a task that ignores the cancellation must not block the exit
            await asyncio.wait(left, timeout=LAST_ANSWERS_S)


DRAIN = Drain()


def _is_open(protocol: Any) -> bool:
    """Return whether a connection of Daphne is an open socket, and not a request.

    A socket is recognized by its methods: importing its class would load Twisted in every process
    that answers health checks.
    """
    return hasattr(protocol, "sendClose") and protocol.state == protocol.STATE_OPEN
