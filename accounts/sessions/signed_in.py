"""Find the user of a session, also of a session that an earlier SECRET_KEY signed.

Django gives such a session a new key and deletes the old one. A page's parallel requests and its
sockets still come with the old key: they would be signed out, in the middle of a match. Here the
session keeps its key and is only signed again.
"""

from functools import partial
from types import SimpleNamespace
from typing import Any

from django.contrib.auth import get_user
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import User
from accounts.shared.logs import ids as log_ids
from accounts.times.middleware import use_members_zone


class _KeyKept:
    """A session whose key does not change; for `get_user` only."""

    def __init__(self, session: SessionBase) -> None:
        self._session = session

    def cycle_key(self) -> None:
        pass

    def __getitem__(self, name: str) -> Any:
        return self._session[name]

    def __setitem__(self, name: str, value: Any) -> None:
        self._session[name] = value

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)


def user_of(session: SessionBase) -> AbstractBaseUser | AnonymousUser:
    """Return the session's user; empty the session if the password was changed after sign-in."""
    return get_user(SimpleNamespace(session=_KeyKept(session)))  # type: ignore[arg-type]


def _user_of_request(request: HttpRequest) -> AbstractBaseUser | AnonymousUser:
    user = user_of(request.session)
    if isinstance(user, User):
        use_members_zone(request, user)
        log_ids.user_id.set(str(user.pk))
    return user


class SignedIn(AuthenticationMiddleware):
    """Set `request.user`, lazily. No view of the site uses `request.auser`."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        request.user = SimpleLazyObject(partial(_user_of_request, request))  # type: ignore[assignment]
