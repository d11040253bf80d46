"""Socket URLs of games."""

from django.urls import re_path

from games.consumers import MatchConsumer

websocket_urlpatterns = [
    re_path(r"^ws/match/(?P<public_id>[A-Za-z0-9]{12})/$", MatchConsumer.as_asgi()),  # type: ignore[arg-type]
]
