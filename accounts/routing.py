"""Socket URLs of accounts."""

from django.urls import path

from accounts.consumers import SiteConsumer

websocket_urlpatterns = [path("ws/site/", SiteConsumer.as_asgi())]  # type: ignore[arg-type]
