"""Joins the socket routes of the apps behind one guard."""

from channels.auth import AuthMiddlewareStack
from channels.routing import URLRouter

import games.routing

sockets = AuthMiddlewareStack(URLRouter([*games.routing.websocket_urlpatterns]))
