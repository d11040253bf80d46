"""Who looks at a page of the lobby."""

from django.http import HttpRequest

from accounts.models import User


def viewer_of(request: HttpRequest) -> User | None:
    """The signed-in account; None for a guest."""
    return request.user if isinstance(request.user, User) else None


def member_of(request: HttpRequest) -> User:
    """Of a page that asks to sign in."""
    assert isinstance(request.user, User)
    return request.user
