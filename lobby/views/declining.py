"""Decline a challenge, for credits or friendly, and answer the request."""

from collections.abc import Callable
from datetime import datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from accounts.models import User
from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.refusals import Refused, marked
from lobby import labels

# A service that declines the challenge with this public id.
Decline = Callable[[str, User, datetime], object]


def answer(request: HttpRequest, public_id: str, decline: Decline, declined: str) -> HttpResponse:
    """Decline the challenge; answer an htmx request with `_live.html`, the alert of every page.

    `declined` is the sentence for the member once that is done.
    """
    try:
        decline(public_id, current_user(request), CLOCK.now())
        level, notice, code = messages.SUCCESS, declined, None
    except Refused as refusal:
        level, notice, code = messages.ERROR, labels.of_error(refusal), refusal.code
    if request.headers.get("HX-Request"):
        response = render(request, "lobby/_live.html", {"live_notice": notice})
    else:
        messages.add_message(request, level, notice)
        response = redirect("lobby:lobby")
    return marked(response, code) if code else response
