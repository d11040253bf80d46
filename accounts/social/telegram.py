"""Sign-in through Telegram, by its page: our content security policy forbids its widget.

Telegram answers in the fragment of the URL (after `#`), which browsers do not send: a page with a
script turns it into a form.
"""

import base64
import binascii
import json
from hashlib import sha256
from hmac import compare_digest, new
from time import time
from typing import Any

from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import complete_social_login, render_authentication_error
from allauth.socialaccount.providers.base import AuthError
from allauth.socialaccount.providers.base.utils import respond_to_login_on_get
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

AUTHORIZE_URL = "https://oauth.telegram.org/auth"
REFUSED = "false"  # Telegram's answer if the person does not consent
# Errors that a text not written by Telegram can cause. A lone surrogate in it is a ValueError.
_UNREADABLE = (
    binascii.Error, ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError
)  # fmt: skip


class BadAnswer(Exception):
    """The answer is unreadable, too old, or not signed by Telegram."""


def login(request: HttpRequest) -> HttpResponse:
    """Redirect to Telegram; unlike allauth, do not ask for the right to write to the person."""
    provider = get_adapter().get_provider(request, "telegram")
    page: HttpResponse | None = respond_to_login_on_get(request, provider)
    if page:
        return page
    kwargs = provider.get_redirect_from_request_kwargs(request)
    state = provider.stash_redirect_state(request, **kwargs)
    back = f"{reverse('telegram_callback')}?{urlencode({'state': state})}"
    query = {
        "origin": request.build_absolute_uri("/"),
        "bot_id": provider.app.client_id,
        "embed": "0",
        "return_to": request.build_absolute_uri(back),
    }
    return redirect(f"{AUTHORIZE_URL}?{urlencode(query)}")


@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: HttpRequest) -> HttpResponse:
    """Show the page that sends the answer as a form; sign in when the form arrives."""
    if request.method != "POST":
        return render(request, "socialaccount/telegram.html")
    provider = get_adapter().get_provider(request, "telegram")
    text = request.POST.get("tgAuthResult", "")
    if text == REFUSED:
        return render_authentication_error(request, provider, error=AuthError.CANCELLED)
    try:
        person = read(text, provider.app.secret, provider.get_auth_date_validity())
        state = provider.unstash_redirect_state(request, request.GET.get("state", ""))
    except (BadAnswer, PermissionDenied) as error:
        return render_authentication_error(request, provider, exception=error)
    sociallogin = provider.sociallogin_from_response(request, person)
    sociallogin.state = state
    return complete_social_login(request, sociallogin)


def read(text: str, token: str, lives_s: int) -> dict[str, Any]:
    """Return the person's id as allauth reads it; raise BadAnswer for an invalid or old answer.

    The signature: https://core.telegram.org/widgets/login#checking-authorization.
    """
    try:
        padded = text + "=" * (-len(text) % 4)
        data = json.loads(base64.b64decode(padded, altchars=b"-_"))
        given = str(data.pop("hash")).encode()
        signed_at = int(data["auth_date"])
        person = {"id": int(data["id"])}
        lines = "\n".join(sorted(f"{name}={value}" for name, value in data.items())).encode()
    except _UNREADABLE as error:
        raise BadAnswer("unreadable") from error
    signature = new(sha256(token.encode()).digest(), lines, sha256).hexdigest()
    if not compare_digest(given, signature.encode()):
        raise BadAnswer("not signed by Telegram")
    if not -lives_s <= time() - signed_at <= lives_s:
        raise BadAnswer("too old")
    return person
