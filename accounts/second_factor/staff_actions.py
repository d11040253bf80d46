"""The staff action for members who lost both their phone and their recovery codes."""

from datetime import datetime

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.second_factor import services
from accounts.second_factor.selectors import is_on
from accounts.shared.staff.actions import Answers, StaffAction


def _may_remove(request: HttpRequest, user: User) -> bool:
    """Return whether the user has a second step and, if they are staff, a superuser asks."""
    is_allowed = bool(request.user.is_superuser) or not (user.is_staff or user.is_superuser)
    return is_allowed and is_on(user.pk)


def _remove(user: User, staff: User, answers: Answers, now: datetime) -> bool:
    return services.remove(user.pk)


REMOVE = StaffAction(
    "remove_second_factor",
    "accounts.change_user",
    _remove,
    button=_("Switch off two-step sign-in"),
    title=_("Switch off two-step sign-in for these accounts?"),
    warning=_(
        "First make sure that the person asking owns the account. Anyone can give its email"
        " address on the support form: answer to that address, wait for the reply, and ask about"
        " recent matches or payments. The member is then signed out on all devices and gets an"
        " email. The password alone opens the account."
    ),
    log="Two-step sign-in switched off: {reason}",
    applies_to=_may_remove,
    refusal=_("These accounts do not use two-step sign-in, or only a superuser can do this."),
    label=lambda user: f"{user.username} ({user.email})",
    concerns=lambda user: [user.pk],
)
