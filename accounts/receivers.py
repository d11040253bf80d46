"""What accounts does when Django or allauth tells it something."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed
from django.contrib.auth.signals import user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from accounts.services import registration, sessions


@receiver(user_logged_out)
def end_session(sender: Any, request: HttpRequest, **_: Any) -> None:
    """Signed out here: the session's sockets close, and it leaves the list of devices."""
    key = request.session.session_key  # still the old one: Django empties the session after this
    if key:
        sessions.end(key)


@receiver(email_confirmed)
def activate(sender: Any, email_address: EmailAddress, **_: Any) -> None:
    """Somebody followed a letter's link: of activation, or for a new password."""
    registration.confirm(email_address, timezone.now())
