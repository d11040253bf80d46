"""Limit the cookies of sessions that do not exist, for each network: each cookie costs a query."""

import hashlib

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.deprecation import MiddlewareMixin

from accounts.sessions.keys import session_key_of
from accounts.shared import rate_limits

ACTION = "unknown_session"
# Seconds for which a session that was found is served even if its network is refused, and for which
# the browser keeps its cookie if it ended meanwhile.
KNOWN_S = 24 * 3600


class UnknownKeys(MiddlewareMixin):
    """Refuse unknown session cookies of a network that sent too many invented ones.

    A cookie that cannot be a key is removed from the request and never looked up.

    This runs outside of Django's session middleware, which would delete the refused cookie. The
    cookie may belong to a member who shares the network.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        key = session_key_of(request.COOKIES)
        if key is None:
            request.COOKIES.pop(settings.SESSION_COOKIE_NAME, None)
            return None
        if not rate_limits.is_used_up(request, ACTION) or cache.get(_name(key)):
            return None
        request.user = AnonymousUser()
        with translation.override(translation.get_language_from_request(request, check_path=True)):
            return rate_limits.refuse_reading(request, ACTION)

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        key, session = session_key_of(request.COOKIES), _session_of(request)
        if key is None or session is None or not session.accessed:
            return response
        if session.session_key == key:
            cache.add(_name(key), True, KNOWN_S)
        elif session.session_key is None:
            _answer_unfound(request, response, session, key)
        return response


def _answer_unfound(
    request: HttpRequest, response: HttpResponse, session: SessionBase, key: str
) -> None:
    """Count an unknown key; keep the cookie of a session that another request has ended.

    That request may have been a sign-in: if this answer came last, the browser would lose the
    cookie of the new session. A session that this request has ended is *modified*.
    """
    # The cache knows a session that has ended: do not count it.
    if not cache.get(_name(key)):
        rate_limits.allow_reading(request, ACTION)
    elif not session.modified:
        response.cookies.pop(settings.SESSION_COOKIE_NAME, None)


def _session_of(request: HttpRequest) -> SessionBase | None:
    return getattr(request, "session", None)


def _name(key: str) -> str:
    return f"session-found:{hashlib.sha256(key.encode()).hexdigest()}"
