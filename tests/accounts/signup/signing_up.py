"""Sign up over HTTP, from the form to the link, without scripts."""

from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.accounts.factories import PASSWORD
from tests.accounts.mail.mailbox import last_to, link_in

SIGN_UP = reverse("account_signup")
SENT = reverse("account_email_verification_sent")
RESEND = reverse("account_resend")
CHANGE = reverse("account_change_unverified_email")
EMAIL = "boris@example.org"


def sign_up(client: Client, login: str = "Boris7", email: str = EMAIL, **more: Any) -> HttpResponse:
    fields = {"username": login, "email": email, "password1": PASSWORD, **more}
    return client.post(SIGN_UP, fields)


def registered(client: Client, login: str = "Boris7", email: str = EMAIL) -> User:
    response = sign_up(client, login, email)
    assert response.status_code == 302, response.content.decode()
    return User.objects.get(username=login)


def link_to(email: str = EMAIL) -> str:
    """Return the link in the latest email."""
    return link_in(last_to(email))
