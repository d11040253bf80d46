"""Headers and address of an ASGI connection."""

from collections.abc import Awaitable, Callable
from typing import Any

from django.conf import settings

from accounts.shared.client_address import trusted_address

Scope = dict[str, Any]
Event = dict[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]
Application = Callable[..., Awaitable[None]]


def header(scope: Scope, name: bytes) -> str:
    """Return the header's value; "" if it is missing, or repeated, which may be an attack."""
    values = [value for key, value in scope.get("headers", []) if key == name]
    return values[0].decode("latin1") if len(values) == 1 else ""


def scope_address(scope: Scope) -> str:
    """Return the visitor's address as `trusted_address` does."""
    forwarded = b",".join(v for k, v in scope.get("headers", []) if k == b"x-forwarded-for")
    peer = (scope.get("client") or [""])[0]
    return trusted_address(peer or "", forwarded.decode("latin1"), settings.PROXY_COUNT)
