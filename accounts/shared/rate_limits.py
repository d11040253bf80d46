"""Refuse too many attempts with a page that says how long to wait.

allauth counts the attempts in the cache (`ACCOUNT_RATE_LIMITS`). Sockets and their frames are
counted in this process (`TokenBucket`).
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import wraps
from typing import Any

from allauth.account import app_settings
from allauth.core.internal import ratelimit
from allauth.core.internal.ratelimit import Rate, RateLimitUsage
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

from accounts import security_log
from accounts.shared.client_address import address_group, address_shares, known_address

APP = "allauth.account"
MINUTE_S = 60
View = Callable[..., HttpResponse]
# Action -> what a refused visitor can do instead of waiting; templates/429.html words it.
OTHER_WAYS = {
    "sign_in": "reset",
    "login_failed": "reset",
    "login_failed_anywhere": "reset",
    "login_failed_known": "reset",
    "reset_password": "mailbox",
    "reset_password_anywhere": "mailbox",
    "reset_password_known": "mailbox",
}


@dataclass(frozen=True, slots=True)
class Limit:
    """An action of ACCOUNT_RATE_LIMITS; its limits per key count the attempts for `key`."""

    action: str
    key: str | None = None


class TokenBucket:
    """Allow a burst of `burst`, and `per_second` on average."""

    def __init__(self, burst: float, per_second: float, now: float) -> None:
        self._burst = burst
        self._per_second = per_second
        self._tokens = burst
        self._at = now

    def take(self, now: float) -> bool:
        """Take one token at `now` (seconds of a monotonic clock); return False if there is none."""
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._per_second)
        self._at = now
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True

    def wait_s(self) -> int:
        """Return the seconds until there is a token again, at least 1."""
        return max(1, math.ceil((1 - self._tokens) / self._per_second))


class TooMany(Exception):
    """A limit is used up."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(limit)
        self.limit = limit


def refuse(request: HttpRequest, action: str | None = None, key: str | None = None) -> HttpResponse:
    """Answer 429 with the wait for the action's limits or, without an action, for all limits."""
    actions = [action] if action else list(app_settings.RATE_LIMITS)
    seconds = max((wait for name in actions for wait in _waits(request, name, key)), default=0)
    return _wait_page(request, "429.html", seconds, other_way=OTHER_WAYS.get(action or ""))


def refuse_reading(
    request: HttpRequest, action: str | None = None, seconds: float = 0
) -> HttpResponse:
    """Answer 429 to a reader of expensive pages, with the wait for `action`.

    Without an action the wait is `seconds`.
    """
    if action is not None:
        seconds = max(_waits(request, action, None), default=0)
    return _wait_page(request, "429_reading.html", seconds)


def refuse_playing(request: HttpRequest, action: str) -> HttpResponse:
    """Answer 429 to a member or guest who began too many matches or reviews in a short time."""
    is_guest = not request.user.is_authenticated
    seconds = max(_waits(request, action, None), default=0)
    return _wait_page(request, "429_playing.html", seconds, is_guest=is_guest)


def _wait_page(
    request: HttpRequest, template: str, seconds: float, **more: str | bool | None
) -> HttpResponse:
    security_log.note("limit used up", request)
    seconds = max(1, math.ceil(seconds))
    context = {"seconds": seconds, "minutes": math.ceil(seconds / MINUTE_S), **more}
    if request.accepts("text/html"):
        response = render(request, template, context, status=429)
    else:
        body = {"code": "too_many_requests", "retry_after_s": seconds}
        response = JsonResponse(body, status=429)
    response["Retry-After"] = str(seconds)
    return response


def too_many(request: HttpRequest) -> HttpResponse:
    """Answer as the site's `handler429`, which allauth calls."""
    return refuse(request)


def allow(request: HttpRequest, action: str, key: str | None = None) -> bool:
    """Count one attempt; return False when there were too many. A GET is not counted."""
    return _consume(request, action, key) is not None


def allow_wide(request: HttpRequest, action: str) -> bool:
    """Count one attempt for the wide IPv6 network alone; return False when there were too many.

    allauth counts the attempt for the address itself.
    """
    return _consume_wide(request, action) is not None


def count_start(request: HttpRequest, action: str) -> str | None:
    """Count one start of a match or review; return the action whose limit is used up, or None.

    A member is counted alone, guests together by network address, since anyone can become a new
    guest at no cost.
    """
    name = action if request.user.is_authenticated else f"guest_{action}"
    return None if allow(request, name) else name


def allow_reading(request: HttpRequest, action: str) -> bool:
    """Count one request of any method; return False when there were too many."""
    return _consume(request, action, limit_get=True) is not None


def is_used_up(request: HttpRequest, action: str) -> bool:
    """Return whether a limit per network address allows no more now; counts nothing."""
    return max(_waits(request, action, None), default=0) > 0


def count(request: HttpRequest, limits: Iterable[Limit]) -> RateLimitUsage:
    """Count one attempt against each limit; if one is used up, count nothing and raise TooMany."""
    counted = RateLimitUsage(usage=[])
    for limit in limits:
        usage = _consume(request, limit.action, limit.key, limit_get=True)
        if usage is None:
            counted.rollback()
            raise TooMany(limit)
        counted.usage.extend(usage.usage)
    return counted


def forget(request: HttpRequest, limit: Limit) -> None:
    """Reset the counts of the limit's key; the counts per network and per user stay."""
    for rate in ratelimit.get_rates(app=APP, action=limit.action):
        if rate.per == "key":
            cache.delete(
                ratelimit.get_cache_key(
                    request, app=APP, action=limit.action, rate=rate, key=limit.key
                )
            )


def from_network(request: HttpRequest, key: str) -> str:
    """Return a key that is counted separately for each network address (IPv6: each /64)."""
    return f"{key} from {address_group(known_address(request))}"


def limited(action: str) -> Callable[[View], View]:
    """Count each request of a view for the visitor's address; answer 429 beyond the limit."""

    def limit(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if not allow_reading(request, action):
                return refuse_reading(request, action)
            return view(request, *args, **kwargs)

        return answer

    return limit


def _consume(
    request: HttpRequest, action: str, key: str | None = None, *, limit_get: bool = False
) -> RateLimitUsage | None:
    """Count one attempt, for a wide IPv6 network too; return None when there were too many."""
    usage = ratelimit.consume(request, app=APP, action=action, key=key, limit_get=limit_get)
    if usage is None:
        return None
    wide = _consume_wide(request, action, limit_get=limit_get)
    if wide is None:
        usage.rollback()
        return None
    return RateLimitUsage(usage=[*usage.usage, *wide.usage])


def _consume_wide(
    request: HttpRequest, action: str, *, limit_get: bool = False
) -> RateLimitUsage | None:
    counted = RateLimitUsage(usage=[])
    for network, rates in _wide_rates(request, action):
        config = {_wide(action): ",".join(f"{r.amount}/{r.duration}s/key" for r in rates)}
        usage = ratelimit.consume(
            request, app=APP, action=_wide(action), config=config, key=network, limit_get=limit_get
        )
        if usage is None:
            return None
        counted.usage.extend(usage.usage)
    return counted


def _wide(action: str) -> str:
    return f"{action}_wide"


def _wide_rates(request: HttpRequest, action: str) -> Iterator[tuple[str, list[Rate]]]:
    """Yield the wide network of an IPv6 address, with the limits that count for all of it."""
    own = [rate for rate in ratelimit.get_rates(app=APP, action=action) if rate.per == "ip"]
    for network, share in address_shares(known_address(request)).items():
        if own and share > 1:
            yield network, [Rate(share * rate.amount, float(rate.duration), "key") for rate in own]


def _waits(request: HttpRequest, action: str, key: str | None) -> Iterator[float]:
    """Yield the seconds until each used-up limit of an action allows one more."""
    for rate in ratelimit.get_rates(app=APP, action=action):
        if rate.per == "key" and key is None:
            continue
        if rate.per == "user" and not request.user.is_authenticated:
            continue
        yield from _wait_of(request, action, rate, key)
    for network, rates in _wide_rates(request, action):
        for rate in rates:
            yield from _wait_of(request, _wide(action), rate, network)


def _wait_of(request: HttpRequest, action: str, rate: Rate, key: str | None) -> Iterator[float]:
    name = ratelimit.get_cache_key(request, app=APP, action=action, rate=rate, key=key)
    history = cache.get(name, [])  # timestamps, newest first
    if len(history) >= rate.amount:
        yield history[rate.amount - 1] + rate.duration - time.time()
