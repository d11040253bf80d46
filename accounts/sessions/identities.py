"""The session and the user of each arriving socket, read for many sockets at once."""

from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore
from django.utils.crypto import constant_time_compare

from accounts.models import User
from accounts.sessions.signed_in import user_of
from accounts.shared.database_threads import MOST_IN_A_TURN, SharedRead, Stage
from accounts.shared.open_sockets import read_sessions, user_ids_in


class Identity(NamedTuple):
    """A session and its user; empty and anonymous if the session is unknown."""

    session: SessionBase
    user: AbstractBaseUser | AnonymousUser


def nobody() -> Identity:
    return Identity(SessionStore(), AnonymousUser())


class _ReadSession(SessionStore):
    """A session whose content was read together with others."""

    def __init__(self, session_key: str, content: dict[str, Any]) -> None:
        super().__init__(session_key)
        self._content = content

    def load(self) -> dict[str, Any]:
        return self._content


def identify(session_key: str) -> Identity:
    """Return the identity of a key, as a request with this key gets it."""
    session = SessionStore(session_key)
    return Identity(session, user_of(session))


def identify_each(session_keys: set[str]) -> dict[str, Identity]:
    """Do the work of `identify` for many keys, in two queries.

    A session needs queries of its own if another SECRET_KEY signed it, if its user may no longer
    sign in, or if the user changed the password.
    """
    contents = read_sessions(session_keys)
    users = User.objects.select_related("preferences").filter(is_active=True)
    by_id = users.in_bulk(user_ids_in(contents.values()))
    return {key: _identity(key, contents.get(key), by_id) for key in session_keys}


def _identity(key: str, content: dict[str, Any] | None, users: dict[int, User]) -> Identity:
    if content is None:
        return nobody()
    if SESSION_KEY not in content:
        return Identity(_ReadSession(key, content), AnonymousUser())
    user = users.get(int(content[SESSION_KEY]))
    if user is not None and _is_signed_in(content, user):
        return Identity(_ReadSession(key, content), user)
    return identify(key)


def _is_signed_in(content: dict[str, Any], user: User) -> bool:
    hash = content.get(HASH_SESSION_KEY, "")
    is_of_our_backend = content.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
    return is_of_our_backend and constant_time_compare(hash, user.get_session_auth_hash())


# By the kind of socket: those of tables go first.
IDENTITIES = {
    "table": SharedRead(identify_each, Stage.TABLE, MOST_IN_A_TURN),
    "page": SharedRead(identify_each, Stage.PAGE, MOST_IN_A_TURN),
}
