"""The user of a request."""

from django.http import HttpRequest

from accounts.models import User


def current_user(request: HttpRequest) -> User:
    """Return the request's user. Call it only where somebody is known to be signed in."""
    assert isinstance(request.user, User)
    return request.user


def viewer_of(request: HttpRequest) -> User | None:
    """Return the signed-in account; None for anyone else."""
    return request.user if isinstance(request.user, User) else None
