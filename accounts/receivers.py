"""Receivers of Django's and allauth's signals."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.signals import email_confirmed
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.signals import social_account_added
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from accounts.members import identities
from accounts.models import User
from accounts.sessions import services as sessions
from accounts.signup import services as signup


@receiver(user_logged_out)
def end_session(sender: Any, request: HttpRequest, **_: Any) -> None:
    """Close the session's sockets and remove it from the list of devices."""
    key = request.session.session_key  # still the old key: Django flushes the session after this
    if key:
        sessions.end(key)


@receiver(user_logged_in)
def renew_fingerprints(sender: Any, user: User, **_: Any) -> None:
    """Renew the member's fingerprints by the present rules for mailboxes and the newest key."""
    identities.renew(user.pk, timezone.now())


@receiver(email_confirmed)
def activate(sender: Any, email_address: EmailAddress, **_: Any) -> None:
    """Activate the account once its activation link confirms the email."""
    signup.confirm(email_address, timezone.now())


@receiver(social_account_added)
def remember_connection(sender: Any, sociallogin: SocialLogin, **_: Any) -> None:
    """Store the connected account's fingerprint, which stays after a disconnection."""
    identities.remember(sociallogin.user.pk, timezone.now())
