"""Refuse too many attempts with a page that says how long to wait.

allauth counts them in the cache (`ACCOUNT_RATE_LIMITS`).
"""

import math
import time
from collections.abc import Iterator

from allauth.account import app_settings
from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

APP = "allauth.account"
MINUTE_S = 60


def refuse(request: HttpRequest, action: str | None = None, key: str | None = None) -> HttpResponse:
    """Answer 429; without an action, for every limit that this visitor has used up."""
    actions = [action] if action else list(app_settings.RATE_LIMITS)
    seconds = max((wait for name in actions for wait in _waits(request, name, key)), default=0)
    seconds = max(1, math.ceil(seconds))
    context = {"seconds": seconds, "minutes": math.ceil(seconds / MINUTE_S)}
    response = render(request, "429.html", context, status=429)
    response["Retry-After"] = str(seconds)
    return response


def too_many(request: HttpRequest) -> HttpResponse:
    """Answer as the site's `handler429`, which allauth calls."""
    return refuse(request)


def may(request: HttpRequest, action: str, key: str | None = None) -> bool:
    """Count one attempt; return False when there were too many."""
    return ratelimit.consume(request, app=APP, action=action, key=key) is not None


def _waits(request: HttpRequest, action: str, key: str | None) -> Iterator[float]:
    """Yield the seconds until each used-up limit of an action allows one more."""
    for rate in ratelimit.get_rates(app=APP, action=action):
        if rate.per == "key" and key is None:
            continue
        if rate.per == "user" and not request.user.is_authenticated:
            continue
        name = ratelimit.get_cache_key(request, app=APP, action=action, rate=rate, key=key)
        history = cache.get(name, [])  # timestamps, newest first
        if len(history) >= rate.amount:
            yield history[rate.amount - 1] + rate.duration - time.time()
