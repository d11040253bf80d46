"""Letters as their receivers see them."""

import re

from accounts.models import Letter


def letters_to(email: str) -> list[Letter]:
    """The oldest first."""
    return list(Letter.objects.filter(to=email).order_by("pk"))


def last_to(email: str) -> Letter:
    return letters_to(email)[-1]


def link_in(letter: Letter) -> str:
    """The path of the first link of a letter."""
    found = re.search(r"http://[^/\s]+(/\S+)", letter.text)
    assert found, letter.text
    return found[1]
