"""Visitors without a session: a signed id in a cookie, so that watching stores nothing."""

import secrets
from collections.abc import Mapping

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

SALT = "accounts.visitors"


def visitor_of(cookies: Mapping[str, str]) -> str | None:
    """Return the visitor's id, or None if there is no cookie that we signed."""
    try:
        return signing.Signer(salt=SALT).unsign(cookies.get(settings.VISITOR_COOKIE_NAME, ""))
    except signing.BadSignature:
        return None


def ensure_cookie(request: HttpRequest, response: HttpResponse) -> None:
    """Give a browser without a session an id; config/sockets/guard.py counts its sockets by it."""
    if request.session.session_key is not None or visitor_of(request.COOKIES) is not None:
        return
    response.set_cookie(
        settings.VISITOR_COOKIE_NAME,
        signing.Signer(salt=SALT).sign(secrets.token_hex(16)),
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )
