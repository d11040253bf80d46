"""What accounts does when Django tells it something."""

from typing import Any

from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest

from accounts.services import sessions


@receiver(user_logged_out)
def end_session(sender: Any, request: HttpRequest, **_: Any) -> None:
    """Signed out here: the session's sockets close, and it leaves the list of devices."""
    key = request.session.session_key  # still the old one: Django empties the session after this
    if key:
        sessions.end(key)
