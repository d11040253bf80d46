"""Barring members in the admin, and letting them in again."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.services import members
from accounts.staff_acts import Act

REFUSAL = _("Not yours to do: your own account, other staff, closed accounts.")


def may_bar(request: HttpRequest, user: User) -> bool:
    """Not oneself, not what is closed; staff only by a superuser."""
    if user.closed_at or user.pk == request.user.pk:
        return False
    return bool(request.user.is_superuser) or not (user.is_staff or user.is_superuser)


def _bar(user: User, staff: User, said: dict[str, Any], now: datetime) -> bool:
    return members.bar(user.pk)


def _unbar(user: User, staff: User, said: dict[str, Any], now: datetime) -> bool:
    return members.unbar(user.pk)


def _label(user: User) -> str:
    return f"{user.username} ({user.email})"


BAR = Act(
    "bar",
    "accounts.change_user",
    _bar,
    button=_("Bar"),
    title=_("Bar these accounts?"),
    warning=_("Nobody can sign in to them any more; who is signed in is signed out at once."),
    log="Barred: {reason}",
    reaches=may_bar,
    refusal=REFUSAL,
    label=_label,
)
UNBAR = Act(
    "unbar",
    "accounts.change_user",
    _unbar,
    button=_("Let in again"),
    title=_("Let these accounts in again?"),
    warning=_("Their members can sign in again, with the password they had."),
    log="Let in again: {reason}",
    reaches=may_bar,
    refusal=REFUSAL,
    label=_label,
)
