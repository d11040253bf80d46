"""Keep a demonstration to its own machine, because the password of its staff is public."""

import ipaddress
import socket
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

WHY = (
    "DEMO is on, and the password of a demonstration's staff is public: it stands in README.md."
    " A demonstration answers only on its own machine, at a loopback address such as 127.0.0.1."
    " For a public site set DEMO=0 and what .env.example asks for."
)


def is_loopback(host: str) -> bool:
    """Return whether every address of a host, given by name or IP address, is a loopback address.

    Return False for "", which means every interface, and for a name that cannot be resolved.
    """
    try:
        found = socket.getaddrinfo(host or "0.0.0.0", None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    return all(_is_loopback_address(str(each[4][0])) for each in found)


def _is_loopback_address(text: str) -> bool:
    address = ipaddress.ip_address(text.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def public_names(allowed_hosts: Iterable[str]) -> list[str]:
    """Return the entries of ALLOWED_HOSTS that may be reached from another machine."""
    return [name for name in allowed_hosts if not _is_local_name(name.lower().strip("[]"))]


def _is_local_name(name: str) -> bool:
    """Decide by the text alone: settings must not ask a name server."""
    try:
        return _is_loopback_address(name)
    except ValueError:
        return name == "localhost" or name.endswith(".localhost")


class OwnMachineOnly:
    """Refuse connections from other machines with 403, whichever server runs the site."""

    def __init__(self, inner: Application) -> None:
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        peer = (scope.get("client") or [""])[0]
        if peer and not _is_loopback_address(peer):  # on a Unix socket there is no peer
            await _refuse(scope, receive, send)
        else:
            await self._inner(scope, receive, send)


async def _refuse(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    if scope["type"] == "websocket":
        await send({"type": "websocket.close"})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8")]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": WHY.encode()})
