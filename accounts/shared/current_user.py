"""The user of a signed-in request."""

from django.http import HttpRequest

from accounts.models import User


def current_user(request: HttpRequest) -> User:
    """Return the request's user. Call it only behind `login_required`."""
    assert isinstance(request.user, User)
    return request.user
