"""Staff actions on reports and silences."""

from datetime import datetime, timedelta

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.members import ban
from accounts.models import ReadyReason, User
from accounts.shared.refusals import Refused
from accounts.shared.staff.actions import Answers, PublicReasonForm, StaffAction
from chat.models import PlayerReport, Report, Silence
from chat.services import moderation, player_reports

PERMISSION = "chat.change_report"
SPANS = (1, 3, 7, 30)  # days of silence to choose from


class SilenceForm(PublicReasonForm):
    days = forms.TypedChoiceField(
        label=_("For how long"),
        coerce=int,
        # Called for each form: `%` translates a lazy string at once.
        choices=lambda: [(days, ngettext("%d day", "%d days", days) % days) for days in SPANS],
    )


def _hide(report: Report, staff: User, answers: Answers, now: datetime) -> bool:
    return moderation.hide(report, staff, now)


def _dismiss(report: Report, staff: User, answers: Answers, now: datetime) -> bool:
    return moderation.dismiss(report, staff, now)


def _silence(report: Report, staff: User, answers: Answers, now: datetime) -> bool:
    span = timedelta(days=answers["days"])
    try:
        return moderation.silence(report, staff, span, now, answers["reason"])
    except Refused as refusal:
        raise ValidationError(
            _("The author has appealed against an earlier chat ban. Answer the appeal first.")
        ) from refusal


def _ban(report: Report, staff: User, answers: Answers, now: datetime) -> bool:
    return moderation.ban(report, staff, now)


def _end(silence: Silence, staff: User, answers: Answers, now: datetime) -> bool:
    return moderation.end_silence(silence, now, answers["reason"])


def _uphold(silence: Silence, staff: User, answers: Answers, now: datetime) -> bool:
    return moderation.uphold(silence, answers["reason"], now)


def _has_open_appeal(request: HttpRequest, silence: Silence) -> bool:
    return silence.has_open_appeal


def _may_ban(request: HttpRequest, report: Report) -> bool:
    """Return whether the user may ban the author on the admin pages of members too."""
    assert isinstance(request.user, User)
    may = request.user.has_perm(ban.BAN.permission)
    return may and ban.may_ban(request, report.author)


def _close_player_report(
    report: PlayerReport, staff: User, answers: Answers, now: datetime
) -> bool:
    return player_reports.close(report, staff, now)


def _ban_player(report: PlayerReport, staff: User, answers: Answers, now: datetime) -> bool:
    return player_reports.ban(report, staff, now)


def _may_ban_player(request: HttpRequest, report: PlayerReport) -> bool:
    assert isinstance(request.user, User)
    return request.user.has_perm(ban.BAN.permission) and ban.may_ban(request, report.about)


def _label(report: Report) -> str:
    return f"{report.author.username}: {report.message.body}"


def _author(report: Report) -> list[int | None]:
    return [report.author.pk]


def _silenced(silence: Silence) -> list[int | None]:
    return [silence.user_id]


REPORT_ACTIONS = (
    StaffAction(
        "hide",
        PERMISSION,
        _hide,
        button=_("Hide the message"),
        title=_("Hide these messages?"),
        warning=_("They disappear for all readers at once but stay on record."),
        log="Message hidden: {reason}",
        label=_label,
        concerns=_author,
    ),
    StaffAction(
        "dismiss",
        PERMISSION,
        _dismiss,
        button=_("Close without action"),
        title=_("Close these reports?"),
        warning=_("No action is taken, and nobody is told."),
        log="Closed, nothing done: {reason}",
        label=_label,
        concerns=_author,
    ),
    StaffAction(
        "silence",
        PERMISSION,
        _silence,
        button=_("Silence the author"),
        title=_("Silence these authors?"),
        warning=_(
            "They cannot write in any chat for that time. They can keep playing, and they are told."
        ),
        log="Author silenced for {days} days: {reason}",
        form=SilenceForm,
        label=_label,
        concerns=_author,
        occasion=ReadyReason.Occasion.SANCTION,
    ),
    StaffAction(
        "ban",
        PERMISSION,
        _ban,
        button=_("Ban the author"),
        title=_("Ban these authors?"),
        warning=ban.BAN.warning,
        log="Author banned: {reason}",
        applies_to=_may_ban,
        refusal=ban.REFUSAL,
        label=_label,
        concerns=_author,
    ),
)
PLAYER_REPORT_ACTIONS = (
    StaffAction(
        "close",
        "chat.change_playerreport",
        _close_player_report,
        button=_("Close the report"),
        title=_("Close these reports?"),
        warning=_("First do what is needed: send a warning, or remove the picture."),
        log="Report about a player closed: {reason}",
        concerns=lambda report: [report.about_id],
    ),
    StaffAction(
        "ban",
        "chat.change_playerreport",
        _ban_player,
        button=_("Ban the player"),
        title=_("Ban these players?"),
        warning=ban.BAN.warning,
        log="Player banned: {reason}",
        applies_to=_may_ban_player,
        refusal=ban.REFUSAL,
    ),
)
END_SILENCE = StaffAction(
    "end",
    "chat.change_silence",
    _end,
    button=_("Let them chat again"),
    title=_("Let them chat again?"),
    warning=_("All their chat bans end, and they can write in chats again at once."),
    log="Chat ban lifted: {reason}",
    form=PublicReasonForm,
    concerns=_silenced,
    occasion=ReadyReason.Occasion.APPEAL,
)
UPHOLD_SILENCE = StaffAction(
    "uphold",
    "chat.change_silence",
    _uphold,
    button=_("Refuse the appeal"),
    title=_("Refuse these appeals?"),
    warning=_("Chat stays off until the time is up. They are told why."),
    log="Appeal refused: {reason}",
    form=PublicReasonForm,
    applies_to=_has_open_appeal,
    refusal=_("None of these has an open appeal."),
    concerns=_silenced,
    occasion=ReadyReason.Occasion.APPEAL,
)
