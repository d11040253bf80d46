"""Limit the tries of codes for an account, over all networks together."""

from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from accounts.second_factor import services
from accounts.shared import rate_limits
from accounts.shared.rate_limits import Limit

ACTION = "second_factor"  # key of ACCOUNT_RATE_LIMITS
WARNED_EVERY_S = 24 * 3600


def count(request: HttpRequest, user: User) -> ratelimit.RateLimitUsage:
    """Count one try; its `rollback` takes it back after a right code.

    Raise TooMany beyond the limit, after a warning to the owner by email, one a day at most.
    """
    try:
        return rate_limits.count(request, [_of(user)])
    except rate_limits.TooMany:
        if cache.add(f"second-factor-warned:{user.pk}", True, WARNED_EVERY_S):
            services.warn_of_guessing(user, timezone.now())
        raise


def forget(request: HttpRequest, user: User) -> None:
    """Forget the tries, which were made with an old password or at an old secret."""
    rate_limits.forget(request, _of(user))


def _of(user: User) -> Limit:
    return Limit(ACTION, str(user.pk))
