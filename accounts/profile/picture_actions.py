"""Staff actions on uploaded avatars."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import Picture, ReadyReason, User
from accounts.profile import picture_checks
from accounts.shared.staff.actions import Answers, PublicReasonForm, ReasonForm, StaffAction

PERMISSION = "accounts.change_picture"


class RemarkForm(ReasonForm):
    """A reason that may stay empty: a picture that is kept needs none."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].required = False


def _keep(picture: Picture, staff: User, answers: Answers, now: datetime) -> bool:
    return picture_checks.keep(picture, staff, now)


def _take_away(picture: Picture, staff: User, answers: Answers, now: datetime) -> bool:
    return picture_checks.take_away(picture, staff, answers["reason"], now)


def _waits(request: HttpRequest, picture: Picture) -> bool:
    return picture.checked_at is None


def _is_shown(request: HttpRequest, picture: Picture) -> bool:
    return picture.taken_at is None


KEEP = StaffAction(
    "keep",
    PERMISSION,
    _keep,
    button=_("Keep the picture"),
    title=_("Keep these pictures?"),
    warning=_("They leave the queue. You can still remove them later."),
    log="Picture kept: {reason}",
    form=RemarkForm,
    applies_to=_waits,
    refusal=_("These pictures have been checked already."),
    concerns=lambda picture: [picture.user_id],
)
TAKE_AWAY = StaffAction(
    "take",
    PERMISSION,
    _take_away,
    button=_("Remove the picture"),
    title=_("Remove these pictures?"),
    warning=_(
        "The files are deleted, the members get their ready-made avatars back, and they are told "
        "why. This cannot be undone."
    ),
    log="Picture removed: {reason}",
    form=PublicReasonForm,
    applies_to=_is_shown,
    refusal=_("These pictures are gone already."),
    concerns=lambda picture: [picture.user_id],
    occasion=ReadyReason.Occasion.SANCTION,
)
