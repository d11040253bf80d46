"""Who a signed-in request is from."""

from django.http import HttpRequest

from accounts.models import User


def current_user(request: HttpRequest) -> User:
    """The account that the request's session belongs to. Behind `login_required` alone."""
    assert isinstance(request.user, User)
    return request.user
