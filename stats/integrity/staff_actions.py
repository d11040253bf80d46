"""Staff actions on cases of fair play and on the members in them."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextInputWidget
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts.members import ban
from accounts.models import ReadyReason, User
from accounts.shared.refusals import Refused
from accounts.shared.staff.actions import Answers, PublicReasonForm, ReasonForm, StaffAction
from stats.integrity import services
from stats.models import Case, CasePerson
from wallet.errors import Vetoed
from wallet.forms import CreditsField
from wallet.money import MAX_CREDITS
from wallet.services.freezing import PERMISSION as MAY_CORRECT

CHANGE = "stats.change_case"
OCCASION = ReadyReason.Occasion.CASE
INVOLVED = _("%(names)s: you are involved yourself. Another member of the staff has to decide.")
REFUSALS = {
    "nobody": _("Name at least one member under suspicion."),
    "both": _("The same member cannot be both under suspicion and harmed."),
    "too_many": _("A case can have ten members at most."),
    "open": _("There is already an open case about the same members under suspicion."),
}


class CloseForm(PublicReasonForm):
    outcome = forms.ChoiceField(
        label=pgettext_lazy("case", "Outcome"), choices=[("", "---------"), *Case.Outcome.choices]
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _(
            "If the rules were broken, the members under suspicion read it on their profile page "
            "and in an email."
        )


class VictimForm(ReasonForm):
    reason = None  # type: ignore[assignment]  # None removes the base's field
    login = forms.CharField(label=_("Login"), max_length=150, widget=AdminTextInputWidget)


class RefundForm(PublicReasonForm):
    credits = CreditsField(
        label=pgettext_lazy("correction", "Credits"), min_value=1, max_value=MAX_CREDITS
    )


class NoReasonForm(ReasonForm):
    reason = None  # type: ignore[assignment]


@contextmanager
def refusals_shown() -> Iterator[None]:
    """Raise a refusal as ValidationError, whose text the page shows."""
    try:
        yield
    except Refused as refusal:
        raise ValidationError(REFUSALS[refusal.code]) from refusal
    except Vetoed as error:
        raise ValidationError(error.reason) from error


def member_of(login: str) -> User | None:
    """Return the member with this login, even if the account is banned or closed.

    A registration is not a member: if nobody activates it, it is deleted, and a case would prevent
    that.
    """
    return User.objects.filter(username__iexact=login, activated_at__isnull=False).first()


def _collect_again(case: Case, staff: User, answers: Answers, now: datetime) -> bool:
    return services.take_again(case, now)


def _add_victim(case: Case, staff: User, answers: Answers, now: datetime) -> bool:
    user = member_of(answers["login"].strip())
    if user is None:
        raise ValidationError(_("There is no member with this login."))
    if user.pk == staff.pk:
        raise ValidationError(INVOLVED % {"names": user.username})
    with refusals_shown():
        return services.add_victim(case, user.pk, now)


def _close(case: Case, staff: User, answers: Answers, now: datetime) -> bool:
    return services.close(case, answers["outcome"], answers["reason"], staff, now)


def _reopen(case: Case, staff: User, answers: Answers, now: datetime) -> bool:
    with refusals_shown():
        return services.reopen(case)


def _refund(person: CasePerson, staff: User, answers: Answers, now: datetime) -> bool:
    with refusals_shown():
        return services.refund(person, answers["credits"], answers["reason"], staff, now)


def _ban(person: CasePerson, staff: User, answers: Answers, now: datetime) -> bool:
    return services.ban(person, now)


def _is_open(request: HttpRequest, case: Case) -> bool:
    return case.closed_at is None


def _is_closed(request: HttpRequest, case: Case) -> bool:
    return case.closed_at is not None


def _may_refund(request: HttpRequest, person: CasePerson) -> bool:
    is_open = person.user.closed_at is None
    return is_open and person.role == CasePerson.Role.VICTIM and not person.has_refund


def _may_ban(request: HttpRequest, person: CasePerson) -> bool:
    return person.role == CasePerson.Role.SUSPECT and ban.may_ban(request, person.user)


def _people(case: Case) -> list[int | None]:
    return list(case.people.values_list("user_id", flat=True))


def _suspects(case: Case) -> list[int | None]:
    rows = case.people.filter(role=CasePerson.Role.SUSPECT)
    return list(rows.values_list("user_id", flat=True))


def _label(person: CasePerson) -> str:
    return f"{person.user.username} ({person.case})"


CLOSED_ALREADY = _("These cases are closed already.")
CASE_ACTIONS = (
    StaffAction(
        "close",
        CHANGE,
        _close,
        button=_("Close the case"),
        title=_("Close these cases?"),
        warning=_(
            "First ban and refund where that is needed. If the rules were broken, the members"
            " under suspicion are told the reason and how to appeal."
        ),
        log="Case closed ({outcome}): {reason}",
        form=CloseForm,
        applies_to=_is_open,
        refusal=CLOSED_ALREADY,
        concerns=_people,
        readers=_suspects,
        occasion=OCCASION,
    ),
    StaffAction(
        "take_again",
        CHANGE,
        _collect_again,
        button=_("Collect the evidence again"),
        title=_("Collect the evidence as it is now?"),
        warning=_("It is added with its date. What was collected before does not change."),
        log="Evidence taken again",
        form=NoReasonForm,
        applies_to=_is_open,
        refusal=CLOSED_ALREADY,
        concerns=_people,
    ),
    StaffAction(
        "add_victim",
        CHANGE,
        _add_victim,
        button=_("Add a harmed member"),
        title=_("Add a harmed member to the case?"),
        warning=_("They can be refunded from here. They are not told about the case."),
        log="Harmed member added: {login}",
        form=VictimForm,
        applies_to=_is_open,
        refusal=CLOSED_ALREADY,
        concerns=_people,
    ),
    StaffAction(
        "reopen",
        CHANGE,
        _reopen,
        button=_("Reopen the case"),
        title=_("Reopen these cases?"),
        warning=_("The outcome is withdrawn. Bans and refunds stay until someone undoes them."),
        log="Case reopened: {reason}",
        applies_to=_is_closed,
        refusal=_("These cases are open already."),
        concerns=_people,
    ),
)
REFUND = StaffAction(
    "refund",
    MAY_CORRECT,
    _refund,
    button=pgettext_lazy("case", "Refund"),
    title=_("Refund these harmed members?"),
    warning=_(
        "The site gives each of them the credits, once per case. They see it in their statement,"
        " with the reason. Only a reversal takes it back."
    ),
    log="Refunded {credits} credits: {reason}",
    form=RefundForm,
    applies_to=_may_refund,
    refusal=_("Only harmed members can be refunded, and only once."),
    label=_label,
    concerns=lambda person: [person.user_id],
    occasion=OCCASION,
)
BAN = StaffAction(
    "ban",
    ban.BAN.permission,
    _ban,
    button=ban.BAN.button,
    title=ban.BAN.title,
    warning=ban.BAN.warning,
    log="Banned: {reason}",
    applies_to=_may_ban,
    refusal=ban.REFUSAL,
    label=_label,
    concerns=lambda person: [person.user_id],
)
