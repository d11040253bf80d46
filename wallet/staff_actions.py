"""The staff actions: correct, reverse, switch gifts off and on, lift a freeze."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.models import User
from accounts.shared.staff.actions import Answers, PreviewedAction, StaffAction
from wallet import causes
from wallet.errors import InsufficientFunds, KeyReused, Vetoed
from wallet.forms import CorrectionForm, ReversalForm
from wallet.models import Account, Freeze, GiftSwitch, Transfer
from wallet.services import corrections, freezing, gift_switch
from wallet.templatetags.credits import credits

PERMISSION = freezing.PERMISSION
TEMPLATE = "admin/wallet/correction.html"


@dataclass(frozen=True, slots=True)
class Change:
    """A change of an account, with the available credits before and after it.

    House accounts keep no balance: `before` and `after` are None.
    """

    account: Account
    credits: int

    @property
    def before(self) -> int | None:
        return None if self.account.kind == Account.Kind.HOUSE else self.account.available_credits

    @property
    def after(self) -> int | None:
        return None if self.before is None else self.before + self.credits


def _correctable_accounts() -> QuerySet[Account]:
    return Account.objects.exclude(kind=Account.Kind.HOUSE).select_related("user")


def _preview_correction(account: Account, answers: Answers | None) -> list[Change]:
    return [Change(account, answers["credits"])] if answers else []


def _correct(account: Account, staff: User, answers: Answers, now: datetime) -> None:
    key, amount, reason = (answers[name] for name in ("key", "credits", "reason"))
    with _refusals_shown():
        corrections.correct(str(key), account.id, amount, reason, staff.pk, now)


def _correction_title(account: Account) -> str:
    return _("Correct the account of %(account)s") % {"account": account.user or account}


def _reversible_transfers() -> QuerySet[Transfer]:
    return Transfer.objects.select_related("reversal__by")


def _preview_reversal(transfer: Transfer, answers: Answers | None) -> list[Change]:
    entries = transfer.entries.select_related("account__user").order_by("account_id")
    return [Change(entry.account, -entry.amount_credits) for entry in entries]


def _reverse(transfer: Transfer, staff: User, answers: Answers, now: datetime) -> None:
    with _refusals_shown():
        corrections.reverse(transfer.id, answers["reason"], staff.pk, now)


def _reversal_title(transfer: Transfer) -> str:
    return _("Reverse the transfer %(transfer)s") % {"transfer": transfer}


def _check_correction(account: Account, changes: list[Any]) -> None:
    if account.kind == Account.Kind.POT:
        raise ValidationError(causes.veto_of_pot())
    _check_funds(changes)


def _check_reversal(transfer: Transfer, changes: list[Any]) -> None:
    reason = causes.veto_of(transfer)
    if reason is not None:
        raise ValidationError(reason)
    _check_funds(changes)


def _check_funds(changes: list[Any]) -> None:
    """Raise ValidationError for each account that lacks the credits to be taken from it."""
    lacking = [
        _refusal(change.account.id, change.before or 0, -change.after)
        for change in changes
        if change.after is not None and change.credits < 0 and change.after < 0
    ]
    if lacking:
        raise ValidationError(lacking)


@contextmanager
def _refusals_shown() -> Iterator[None]:
    """Raise the service's refusals as ValidationError, whose text the page shows."""
    try:
        yield
    except InsufficientFunds as error:
        raise _refusal(error.account_id, error.available, error.shortfall) from error
    except KeyReused as error:
        text = _("This form was already sent with other values. Please start again.")
        raise ValidationError(text) from error
    except Vetoed as error:
        raise ValidationError(error.reason) from error


def _refusal(account_id: int, available: int, shortfall: int) -> ValidationError:
    account = Account.objects.select_related("user").get(id=account_id)
    text = ngettext(
        "%(account)s has %(available)s available: %(shortfall)s credit is missing.",
        "%(account)s has %(available)s available: %(shortfall)s credits are missing.",
        shortfall,
    )
    names = {"account": account.user or account, "available": credits(available)}
    return ValidationError(text % {**names, "shortfall": credits(shortfall)})


CORRECT = PreviewedAction(
    "correct",
    PERMISSION,
    _correctable_accounts,
    CorrectionForm,
    preview=_preview_correction,
    check=_check_correction,
    apply=_correct,
    title=_correction_title,
    success=gettext_lazy("The account has been corrected."),
    template=TEMPLATE,
)
REVERSE = PreviewedAction(
    "reverse",
    PERMISSION,
    _reversible_transfers,
    ReversalForm,
    preview=_preview_reversal,
    check=_check_reversal,
    apply=_reverse,
    title=_reversal_title,
    success=gettext_lazy("The transfer has been reversed."),
    template=TEMPLATE,
)


def _switch_off(gift: GiftSwitch, staff: User, answers: Answers, now: datetime) -> bool:
    return gift_switch.switch(gift, is_on=False)


def _switch_on(gift: GiftSwitch, staff: User, answers: Answers, now: datetime) -> bool:
    return gift_switch.switch(gift, is_on=True)


def _gift(gift: GiftSwitch) -> str:
    return causes.title_of(gift.cause)


SWITCH_OFF = StaffAction(
    "switch_off",
    "wallet.change_giftswitch",
    _switch_off,
    button=gettext_lazy("Switch off"),
    title=gettext_lazy("Switch these gifts off?"),
    warning=gettext_lazy("Nobody gets them from now on. What was given stays."),
    log="Switched off: {reason}",
    label=_gift,
)
SWITCH_ON = StaffAction(
    "switch_on",
    "wallet.change_giftswitch",
    _switch_on,
    button=gettext_lazy("Switch on"),
    title=gettext_lazy("Switch these gifts on?"),
    warning=gettext_lazy("Members get them again."),
    log="Switched on: {reason}",
    label=_gift,
)


def _is_open(request: HttpRequest, freeze: Freeze) -> bool:
    return freeze.lifted_at is None


def _lift(freeze: Freeze, staff: User, answers: Answers, now: datetime) -> bool:
    return freezing.lift(freeze, staff.pk, answers["reason"], now)


LIFT = StaffAction(
    "lift",
    PERMISSION,
    _lift,
    button=gettext_lazy("Lift the freeze"),
    title=gettext_lazy("Let credits move again?"),
    warning=gettext_lazy(
        "Stakes, entries, gifts and purchases are possible again, and everything that waited is "
        "paid at once. The same differences do not freeze the credits a second time."
    ),
    log="Freeze lifted: {reason}",
    applies_to=_is_open,
    refusal=gettext_lazy("This freeze has been lifted already."),
)
