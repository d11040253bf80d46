"""Members with two-step sign-in."""

from datetime import datetime

from allauth.mfa.models import Authenticator
from django.utils import timezone

from accounts.models import User
from accounts.second_factor import codes, sealing
from accounts.second_factor.selectors import APP, RECOVERY

SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
RECOVERY_CODES = ["aaaaabbbbb", "cccccddddd"]


def with_second_factor(user: User) -> User:
    """Switch two-step sign-in on, with SECRET and two recovery codes; no code is used yet."""
    digests = [sealing.digest(user.pk, code) for code in RECOVERY_CODES]
    for kind, data in (
        (APP, {"secret": sealing.seal(SECRET), "step": 0}),
        (RECOVERY, {"digests": digests}),
    ):
        Authenticator.objects.create(user=user, type=kind, data=data, created_at=timezone.now())
    return user


def code_now(now: datetime | None = None, secret: str = SECRET, later: int = 0) -> str:
    """Return the app's code at `now`, or `later` periods after it."""
    moment = now or timezone.now()
    return codes.code_at(secret, int(moment.timestamp()) // codes.PERIOD_S + later)
