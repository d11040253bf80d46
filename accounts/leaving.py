"""What goes on without a member who signs out; he is told before he does.

Whoever has such things registers from `ready()` how to find them: accounts knows nobody above it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User


@dataclass(frozen=True, slots=True)
class Unfinished:
    """What will become of it, in words, and where to go instead of signing out."""

    consequence: str
    address: str
    link: str


Find = Callable[[User, datetime], Iterable[Unfinished]]

_finders: list[Find] = []


def register(find: Find) -> None:
    _finders.append(find)


def unfinished_of(request: HttpRequest) -> list[Unfinished]:
    """What of the visitor's goes on when he has signed out."""
    user, now = request.user, timezone.now()
    if not isinstance(user, User):
        return []
    return [found for find in _finders for found in find(user, now)]
