"""Read the state of a member's two-step sign-in."""

from dataclasses import dataclass
from datetime import datetime

from allauth.mfa.models import Authenticator
from django.conf import settings

from accounts.models import User

APP, RECOVERY = Authenticator.Type.TOTP, Authenticator.Type.RECOVERY_CODES


@dataclass(frozen=True, slots=True)
class State:
    since: datetime
    used_at: datetime | None
    codes_left: int


def is_on(user_id: int) -> bool:
    return Authenticator.objects.filter(user_id=user_id, type=APP).exists()


def state_of(user_id: int) -> State | None:
    """Return the state of the member's two-step sign-in; None if it is off."""
    rows = {row.type: row for row in Authenticator.objects.filter(user_id=user_id)}
    if APP not in rows:
        return None
    codes = rows[RECOVERY].data["digests"] if RECOVERY in rows else []
    return State(rows[APP].created_at, rows[APP].last_used_at, len(codes))


def is_required(user: User) -> bool:
    """Return whether the account has rights that need the second step."""
    return bool(settings.STAFF_SECOND_FACTOR and (user.is_staff or user.is_superuser))


def is_missing(user: User) -> bool:
    return is_required(user) and not is_on(user.pk)
