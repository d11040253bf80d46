"""The staff actions that ban and unban members."""

from datetime import datetime

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.members import services
from accounts.models import User
from accounts.shared.staff.actions import Answers, StaffAction

REFUSAL = _("You cannot do this to your own account, to other staff or to closed accounts.")


def may_ban(request: HttpRequest, user: User) -> bool:
    """Return False for oneself, closed accounts and, unless a superuser asks, staff."""
    if user.closed_at or user.pk == request.user.pk:
        return False
    return bool(request.user.is_superuser) or not (user.is_staff or user.is_superuser)


def _ban(user: User, staff: User, answers: Answers, now: datetime) -> bool:
    return services.ban(user.pk)


def _unban(user: User, staff: User, answers: Answers, now: datetime) -> bool:
    return services.unban(user.pk)


def _label(user: User) -> str:
    return f"{user.username} ({user.email})"


BAN = StaffAction(
    "ban",
    "accounts.change_user",
    _ban,
    button=_("Ban"),
    title=_("Ban these accounts?"),
    warning=_(
        "Nobody will be able to sign in to them; anyone signed in is signed out at once. Their open"
        " games and tournament entries are canceled, and they are out of tournaments in progress."
    ),
    log="Banned: {reason}",
    applies_to=may_ban,
    refusal=REFUSAL,
    label=_label,
)
UNBAN = StaffAction(
    "unban",
    "accounts.change_user",
    _unban,
    button=_("Unban"),
    title=_("Unban these accounts?"),
    warning=_("Their owners can sign in again with the same password."),
    log="Unbanned: {reason}",
    applies_to=may_ban,
    refusal=REFUSAL,
    label=_label,
)
