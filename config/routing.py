"""Joins the socket routes of the apps behind one guard."""

from channels.routing import URLRouter

import games.routing
from config.guard import SocketGuard

sockets = SocketGuard(URLRouter([*games.routing.websocket_urlpatterns]))
