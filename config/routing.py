"""Joins the socket routes of the apps behind one guard."""

from typing import Any

from channels.routing import URLRouter
from django.urls import re_path

import accounts.routing
import games.routing
from config.socket_guard import Receive, Scope, Send, SocketGuard, refuse


async def nowhere(scope: Scope, receive: Receive, send: Send) -> None:
    """An address that nobody serves: 403. Without it anybody could fill the log with faults."""
    await refuse(receive, send)


# Channels takes Django's own patterns; its type stubs know only a kind of their own.
routes: list[Any] = [
    *accounts.routing.websocket_urlpatterns,
    *games.routing.websocket_urlpatterns,
    re_path(r"", nowhere),  # type: ignore[arg-type]
]
sockets = SocketGuard(URLRouter(routes))
