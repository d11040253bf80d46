"""The staff action on open games: cancel them."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.shared.staff.actions import Answers, PublicReasonForm, StaffAction
from lobby.models import Seek
from lobby.services import ending


def _remove(seek: Seek, staff: User, answers: Answers, now: datetime) -> bool:
    return ending.remove(seek.pk, answers["reason"], now)


def _label(seek: Seek) -> str:
    return f"{seek.owner.username}: {seek.public_id}, {seek.stake_credits}"


REMOVE = StaffAction(
    "remove",
    "lobby.change_seek",
    _remove,
    button=_("Cancel"),
    title=_("Cancel these open games?"),
    warning=_(
        "Games still waiting for an opponent are canceled; their creators get their "
        "stakes back and are told."
    ),
    log="Canceled: {reason}",
    form=PublicReasonForm,
    label=_label,
)
