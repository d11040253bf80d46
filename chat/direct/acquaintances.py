"""The people whom a member has met, that is, has played with.

Chat does not import the app that knows them: that app registers a function from `ready()`.
"""

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet

from accounts.models import User

# Takes a member's id, returns a query for the ids of the people whom they have met.
FindMet = Callable[[int], QuerySet[Any, Any]]

_finders: list[FindMet] = []


def register(find_met: FindMet) -> None:
    """Register the function; raise ValueError if there is one already."""
    if _finders:
        raise ValueError("a function that finds the people met is registered already")
    _finders.append(find_met)


def met(user_id: int) -> QuerySet[User]:
    """Return the users that the member has met; none if no function is registered."""
    users = User.objects.all()
    return users.filter(pk__in=_finders[0](user_id)) if _finders else users.none()
