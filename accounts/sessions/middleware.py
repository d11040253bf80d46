"""Keep the list of a member's devices up to date, and the devices in use signed in."""

import hashlib

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from accounts.sessions import origins, services
from accounts.shared.client_address import known_address
from accounts.shared.current_user import current_user


class SessionsSeen(MiddlewareMixin):
    """Note a member's session and origin, at most every 5 minutes for each session.

    A key in the cache marks a session that was noted. If the session is renewed then, the response
    sets its cookie again. Does nothing for a response that did not use the session.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        session = request.session
        if not session.accessed or SESSION_KEY not in session or not session.session_key:
            return response
        name = f"seen:{hashlib.sha256(session.session_key.encode()).hexdigest()}"
        every_s = services.SEEN_EVERY.total_seconds()
        if request.user.is_authenticated and cache.add(name, True, every_s):
            note_session(request)
            now = timezone.now()
            origins.note_request(request, response, current_user(request).pk, now)
            if services.renew(session.session_key, now):
                _renew_cookie(response, session.session_key)
        return response


def _renew_cookie(response: HttpResponse, session_key: str) -> None:
    """Set the cookie of the session as Django's session middleware does."""
    response.set_cookie(
        settings.SESSION_COOKIE_NAME,
        session_key,
        max_age=settings.SESSION_COOKIE_AGE,
        domain=settings.SESSION_COOKIE_DOMAIN,
        path=settings.SESSION_COOKIE_PATH,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=settings.SESSION_COOKIE_HTTPONLY,
        samesite=settings.SESSION_COOKIE_SAMESITE,  # type: ignore[arg-type]  # one of its words
    )


def note_session(request: HttpRequest) -> None:
    """Record the session of a signed-in request: its time, address and user agent."""
    services.note(
        request.session.session_key or "",
        current_user(request).pk,
        known_address(request),
        request.headers.get("User-Agent", ""),
        timezone.now(),
    )
