"""Emails as their recipients see them."""

import re

from accounts.models import OutgoingEmail


def emails_to(email: str) -> list[OutgoingEmail]:
    """Return the emails to an address, oldest first."""
    return list(OutgoingEmail.objects.filter(to=email).order_by("pk"))


def last_to(email: str) -> OutgoingEmail:
    return emails_to(email)[-1]


def link_in(email: OutgoingEmail) -> str:
    """Return the path of the first link of an email."""
    found = re.search(r"http://[^/\s]+(/\S+)", email.text)
    assert found, email.text
    return found[1]
