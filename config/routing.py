"""Socket routes of all apps behind one guard."""

from typing import Any

from channels.routing import URLRouter
from django.urls import re_path

import accounts.routing
import games.routing
from config.sockets.guard import Receive, Scope, Send, SocketGuard, refuse


async def nowhere(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse an unknown URL with 403; without this route each such request would log an error."""
    await refuse(receive, send)


# Channels accepts Django's patterns, but its type stubs know only their own class.
routes: list[Any] = [
    *accounts.routing.websocket_urlpatterns,
    *games.routing.websocket_urlpatterns,
    re_path(r"", nowhere),  # type: ignore[arg-type]
]
sockets = SocketGuard(URLRouter(routes))
