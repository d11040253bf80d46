"""The viewer of a page of the lobby."""

from django.http import HttpRequest

from accounts.models import User


def viewer_of(request: HttpRequest) -> User | None:
    """Return the signed-in account, None for a guest."""
    return request.user if isinstance(request.user, User) else None


def member_of(request: HttpRequest) -> User:
    """Return the signed-in account on a page with `login_required`."""
    assert isinstance(request.user, User)
    return request.user
