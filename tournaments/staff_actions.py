"""Staff actions on tournaments, their entrants and fixtures, and schedules."""

from datetime import datetime

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import ReadyReason, User
from accounts.shared.refusals import Refused
from accounts.shared.staff.actions import Answers, PublicReasonForm, ReasonForm, StaffAction
from accounts.times.validators import need_inner_year
from tournaments import states
from tournaments.models import Entrant, Fixture, Schedule, Tournament
from tournaments.services import announcing, schedules, staff
from tournaments.services.timeline import Ruling

MANAGE = "tournaments.manage"
FIRST, SECOND, NOBODY = "first", "second", "nobody"


def _ruling(by: User, answers: Answers) -> Ruling:
    return Ruling(answers["reason"], by.pk)


class PostponeForm(PublicReasonForm):
    starts_at = forms.DateTimeField(
        label=_("New start"),
        help_text=_("In your own time zone, such as 2026-11-30 19:00."),
        validators=[need_inner_year],
    )


class AdjudicateForm(PublicReasonForm):
    winner = forms.ChoiceField(
        label=_("Winner"),
        choices=[
            (FIRST, _("The first entrant")),
            (SECOND, _("The second entrant")),
            (NOBODY, _("Neither: both lose")),
        ],
    )


def _void(row: Tournament, by: User, answers: Answers, now: datetime) -> bool:
    return staff.void(row.pk, _ruling(by, answers), now)


def _postpone(row: Tournament, by: User, answers: Answers, now: datetime) -> bool:
    try:
        return staff.postpone(row.pk, answers["starts_at"], _ruling(by, answers), now)
    except Refused as refusal:
        text = gettext("Another tournament of the same schedule has this start. Choose another.")
        raise ValidationError(text, code=refusal.code) from refusal


def _approve(row: Tournament, by: User, answers: Answers, now: datetime) -> bool:
    return announcing.approve(row.pk, _ruling(by, answers), now)


def _reject(row: Tournament, by: User, answers: Answers, now: datetime) -> bool:
    return announcing.reject(row.pk, _ruling(by, answers), now)


def _remove(row: Entrant, by: User, answers: Answers, now: datetime) -> bool:
    return staff.remove(row.pk, _ruling(by, answers), now)


def _adjudicate(row: Fixture, by: User, answers: Answers, now: datetime) -> bool:
    winners = {FIRST: row.first_id, SECOND: row.second_id, NOBODY: None}
    return staff.adjudicate(row.pk, winners[answers["winner"]], _ruling(by, answers), now)


def _pairing(fixture: Fixture) -> str:
    """Name the entrants in the order of the choices of `AdjudicateForm`."""
    players = [each.user.username for each in (fixture.first, fixture.second) if each]
    return f"{' – '.join(players)} ({fixture})"


def _stop(row: Schedule, by: User, answers: Answers, now: datetime) -> bool:
    return schedules.stop(row.pk)


def _resume(row: Schedule, by: User, answers: Answers, now: datetime) -> bool:
    return schedules.resume(row.pk, now)


def _entered(tournament: Tournament) -> list[int | None]:
    """Return the user ids of all who ever entered: members who are out may gain from a ruling."""
    return list(tournament.entrants.values_list("user", flat=True))


def _is_announced_or_running(request: HttpRequest, row: Tournament) -> bool:
    return row.state in (states.ANNOUNCED, states.RUNNING)


def _is_announced(request: HttpRequest, row: Tournament) -> bool:
    return row.state == states.ANNOUNCED


def _is_proposed(request: HttpRequest, row: Tournament) -> bool:
    return row.state == states.PROPOSED


VOID = StaffAction(
    "void",
    MANAGE,
    _void,
    button=pgettext_lazy("to void a tournament", "Void"),
    title=_("Void these tournaments?"),
    warning=_(
        "Their matches end at once and do not count, and every entrant gets the fee back. "
        "This cannot be undone."
    ),
    log="Voided: {reason}",
    form=PublicReasonForm,
    applies_to=_is_announced_or_running,
    refusal=_("Only an announced or running tournament can be voided."),
    concerns=_entered,
    occasion=ReadyReason.Occasion.VOID,
)
POSTPONE = StaffAction(
    "postpone",
    MANAGE,
    _postpone,
    button=_("Postpone"),
    title=_("Postpone these tournaments?"),
    warning=_("Their entrants stay entered and see the new start. They may still withdraw."),
    log="Postponed to {starts_at}: {reason}",
    form=PostponeForm,
    applies_to=_is_announced,
    refusal=_("Only a tournament that has not started can be postponed."),
    concerns=_entered,
)
APPROVE = StaffAction(
    "approve",
    MANAGE,
    _approve,
    button=_("Approve"),
    title=_("Announce these proposed tournaments?"),
    warning=_("Members can enter them from now on."),
    log="Approved: {reason}",
    form=PublicReasonForm,
    applies_to=_is_proposed,
    refusal=_("Only a proposed tournament can be approved or rejected."),
    concerns=lambda row: [row.created_by_id],
)
REJECT = StaffAction(
    "reject",
    MANAGE,
    _reject,
    button=_("Reject"),
    title=_("Reject these proposed tournaments?"),
    warning=_("Those who proposed them can read the reason. This cannot be undone."),
    log="Rejected: {reason}",
    form=PublicReasonForm,
    applies_to=_is_proposed,
    refusal=_("Only a proposed tournament can be approved or rejected."),
)
REMOVE = StaffAction(
    "remove",
    MANAGE,
    _remove,
    button=_("Remove"),
    title=_("Remove these entrants?"),
    warning=_(
        "Before the start they get the fee back; after it they lose the open fixture and the fee. "
        "They cannot enter again. This cannot be undone."
    ),
    log="Removed: {reason}",
    form=PublicReasonForm,
    concerns=lambda entrant: _entered(entrant.tournament),
    occasion=ReadyReason.Occasion.RESULT,
)
ADJUDICATE = StaffAction(
    "adjudicate",
    MANAGE,
    _adjudicate,
    button=_("Adjudicate"),
    title=_("Decide these fixtures?"),
    warning=_(
        "A match in progress ends at once and does not count. You can change a result until the "
        "next round begins."
    ),
    log="Adjudicated ({winner}): {reason}",
    form=AdjudicateForm,
    label=_pairing,
    concerns=lambda fixture: _entered(fixture.round.tournament),
    occasion=ReadyReason.Occasion.RESULT,
)
STOP = StaffAction(
    "stop",
    "tournaments.change_schedule",
    _stop,
    button=_("Stop"),
    title=_("Stop these schedules?"),
    warning=_("No further tournaments are announced; those already announced stay."),
    log="Stopped: {reason}",
    form=ReasonForm,
)
RESUME = StaffAction(
    "resume",
    "tournaments.change_schedule",
    _resume,
    button=_("Resume"),
    title=_("Resume these schedules?"),
    warning=_("The next tournament will be announced on time."),
    log="Resumed: {reason}",
    form=ReasonForm,
)
