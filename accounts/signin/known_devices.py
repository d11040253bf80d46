"""Browsers in which an account has signed in before, known by a signed cookie.

A stranger's wrong passwords must not lock the owner out, so attempts on a known device are counted
for that device and not for its network. The cookie opens nothing by itself.
"""

import secrets
from typing import Any

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from accounts.models import User
from accounts.signup.login_rules import normalize_email

SALT = "accounts.devices"
# Seconds; browsers keep no cookie longer than 400 days.
LIVES_S = 400 * 24 * 3600
# Maximum number of accounts that one browser remembers, the latest first.
MAX_ACCOUNTS = 5


def typed_key(typed: str) -> str:
    """Return one spelling of a typed login or email.

    The text is put into upper case first, because PostgreSQL matches the long s with s and the
    dotless i with i.
    """
    return normalize_email(typed.upper())


def remember(request: HttpRequest, response: HttpResponse, user_id: int) -> None:
    """Note in the browser that the account has signed in there."""
    known = _read(request)
    others = [each for each in known["users"] if each != user_id]
    content = {"id": known["id"], "users": [user_id, *others][:MAX_ACCOUNTS]}
    response.set_cookie(
        settings.DEVICE_COOKIE_NAME,
        signing.dumps(content, salt=SALT),
        max_age=LIVES_S,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def device_of(request: HttpRequest, typed: str) -> str | None:
    """Return the device's id if the account of a typed login or email has signed in there."""
    known = _read(request)
    if not known["users"]:
        return None
    logins = User.objects.filter(pk__in=known["users"]).values_list("username", flat=True)
    emails = EmailAddress.objects.filter(user__in=known["users"], verified=True)
    names = {typed_key(name) for name in (*logins, *emails.values_list("email", flat=True))}
    return known["id"] if typed_key(typed) in names else None


def _read(request: HttpRequest) -> dict[str, Any]:
    """Return the cookie's content, or that of a new device if we signed no such cookie."""
    try:
        cookie = request.COOKIES.get(settings.DEVICE_COOKIE_NAME, "")
        content: dict[str, Any] = signing.loads(cookie, salt=SALT, max_age=LIVES_S)
    except signing.BadSignature:
        return {"id": secrets.token_hex(16), "users": []}
    return content
