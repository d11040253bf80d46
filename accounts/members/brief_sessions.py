"""Shorten the life of sessions that belong to neither a member nor a guest."""

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest, HttpResponse
from django.utils.deprecation import MiddlewareMixin

from accounts.members import guests
from accounts.sessions.services import BRIEF_SESSION


class BriefSessions(MiddlewareMixin):
    """Let a session without a member or guest expire after `BRIEF_SESSION`.

    Such a session holds only what may be lost: an unfinished sign-up or sign-in, or a visitor's
    results of lessons.
    """

    def process_response(self, request: HttpRequest, response: HttpResponse) -> HttpResponse:
        session = request.session
        if session.modified and not session.is_empty():
            lasts = SESSION_KEY in session or guests.KEY in session
            session.set_expiry(None if lasts else BRIEF_SESSION)
        return response
