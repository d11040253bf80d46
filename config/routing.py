"""Joins the socket routes of the apps behind one guard."""

from typing import Any

from channels.routing import URLRouter

import accounts.routing
import games.routing
from config.guard import SocketGuard

# Channels takes Django's own patterns; its type stubs know only a kind of their own.
routes: list[Any] = [
    *accounts.routing.websocket_urlpatterns,
    *games.routing.websocket_urlpatterns,
]
sockets = SocketGuard(URLRouter(routes))
