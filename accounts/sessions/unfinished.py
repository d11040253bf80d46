"""Warnings before sign-out about activities that continue without the member.

Apps with such activities register a finder from `ready()`, because accounts imports no app above
it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The consequence of signing out, in words; `link` is the text of the link to `url`."""

    consequence: str
    url: str
    link: str


Find = Callable[[User, datetime], Iterable[Unfinished]]

_finders: list[Find] = []


def register(find: Find) -> None:
    _finders.append(find)


def unfinished_of(request: HttpRequest) -> list[Unfinished]:
    """Return the member's activities that continue after sign-out."""
    user, now = request.user, timezone.now()
    if not isinstance(user, User):
        return []
    return [found for find in _finders for found in find(user, now)]
