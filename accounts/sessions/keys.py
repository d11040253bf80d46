"""Read the session key from a cookie, in which a visitor can send any text."""

import re
from collections.abc import Mapping

from django.conf import settings

_KEY = re.compile(r"[a-z0-9]{32}")


def session_key_of(cookies: Mapping[str, str]) -> str | None:
    """Return the key, or None if the cookie is missing or cannot be a session's key.

    A quoted cookie may hold any character, and a query with a NUL fails on PostgreSQL.
    """
    key = cookies.get(settings.SESSION_COOKIE_NAME, "")
    return key if _KEY.fullmatch(key) else None
