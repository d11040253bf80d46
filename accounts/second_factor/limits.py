"""Limit the attempts at codes for an account, over all networks together."""

from allauth.core.internal import ratelimit
from django.core.cache import cache
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from accounts.second_factor import codes, services
from accounts.shared import rate_limits
from accounts.shared.rate_limits import Limit

# Keys of ACCOUNT_RATE_LIMITS. The first counts recovery codes and the app's codes together.
ACTION = "second_factor"
# Counts the app's codes alone; a new password does not reset this count.
OF_APP = "second_factor_of_app"
WRONG = "second_factor_wrong"
WARNED_EVERY_S = 24 * 3600


def count(request: HttpRequest, user: User, typed: str) -> ratelimit.RateLimitUsage:
    """Count one attempt; call `rollback` of the result after a right code.

    Beyond the limit, warn the owner by email, at most once a day, and raise TooMany.
    """
    limits = [_of(user)]
    # Recovery codes are too long to be guessed, so the limit of the app's codes ignores them.
    if len(codes.plain(typed)) == codes.DIGITS:
        limits.append(_of(user, OF_APP))
    try:
        return rate_limits.count(request, limits)
    except rate_limits.TooMany:
        _warn(user)
        raise


def note_wrong(request: HttpRequest, user: User) -> None:
    """Count a wrong code, to warn the owner of slow guessing too, which stays below the limits."""
    try:
        rate_limits.count(request, [_of(user, WRONG)])
    except rate_limits.TooMany:
        _warn(user)


def forget(request: HttpRequest, user: User) -> None:
    """Reset the count of attempts, after the password or the secret has changed.

    The count of the app's codes stays. Otherwise somebody who reads the owner's emails could reset
    it again and again by setting a new password.
    """
    rate_limits.forget(request, _of(user))


def _warn(user: User) -> None:
    if cache.add(f"second-factor-warned:{user.pk}", True, WARNED_EVERY_S):
        services.warn_of_guessing(user, timezone.now())


def _of(user: User, action: str = ACTION) -> Limit:
    return Limit(action, str(user.pk))
