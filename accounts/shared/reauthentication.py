"""Ask again who it is before something that would open the account to somebody else.

An open browser or a stolen session alone must not add a way into the account.
"""

import time

from allauth.account import app_settings
from allauth.account.internal.flows.login import get_authentication_records
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts.shared.own_urls import with_return


def is_recent(request: HttpRequest) -> bool:
    """Return whether this session proved a moment ago who it is, by any way to sign in."""
    if not request.user.is_authenticated:
        return False
    records = get_authentication_records(request, request.user)
    age_s = time.time() - records[-1]["at"] if records else float("inf")
    return bool(0 <= age_s < app_settings.REAUTHENTICATION_TIMEOUT)


def ask(back: str) -> HttpResponse:
    """Lead to the page that asks, and from there to the URL `back`."""
    return redirect(with_return(reverse("account_reauthenticate"), back))
