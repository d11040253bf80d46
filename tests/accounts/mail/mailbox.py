"""Emails as their recipients see them."""

import re

from accounts.models import Letter


def letters_to(email: str) -> list[Letter]:
    """Return the emails to an address, oldest first."""
    return list(Letter.objects.filter(to=email).order_by("pk"))


def last_to(email: str) -> Letter:
    return letters_to(email)[-1]


def link_in(letter: Letter) -> str:
    """Return the path of the first link of an email."""
    found = re.search(r"http://[^/\s]+(/\S+)", letter.text)
    assert found, letter.text
    return found[1]
