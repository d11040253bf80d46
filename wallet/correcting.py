"""Staff's two pages over the ledger: correct an account, take a transfer back.

Each asks first and shows what will become of whom; only the answer to that writes, and however
often it is sent, it writes once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.gate import writing
from wallet.forms import CorrectionForm, ReversalForm
from wallet.models import Account, Transfer
from wallet.money import InsufficientFunds, KeyReused
from wallet.services import corrections
from wallet.templatetags.credits import credits

PERMISSION = "wallet.correct"


@dataclass(frozen=True, slots=True)
class Change:
    """What will become of an account. The house's have no balance: before and after are None."""

    account: Account
    credits: int

    @property
    def before(self) -> int | None:
        return None if self.account.kind == Account.Kind.HOUSE else self.account.available_credits

    @property
    def after(self) -> int | None:
        return None if self.before is None else self.before + self.credits


def correct(site: AdminSite, request: HttpRequest, account_id: int) -> HttpResponse:
    """Add credits to an account, or take some from it."""
    staff_id = _staff_id(request)
    kept = Account.objects.exclude(kind=Account.Kind.HOUSE).select_related("user")
    account = get_object_or_404(kept, id=account_id)
    form = CorrectionForm(request.POST or None)

    def write() -> None:
        key, amount, reason = (form.cleaned_data[name] for name in ("key", "credits", "reason"))
        corrections.correct(str(key), account.id, amount, reason, staff_id, timezone.now())

    changes = [Change(account, form.cleaned_data["credits"])] if form.is_valid() else []
    if _is_confirmed(request, form, changes) and _write(form, write):
        messages.success(request, _("The account is corrected."))
        return redirect("admin:wallet_account_change", account.id)
    title = _("Correct the account of %(account)s") % {"account": account.user or account}
    return _page(site, request, account, form, changes, title)


def reverse(site: AdminSite, request: HttpRequest, transfer_id: int) -> HttpResponse:
    """Take a transfer back."""
    staff_id = _staff_id(request)
    transfer = get_object_or_404(Transfer.objects.select_related("reversal__by"), id=transfer_id)
    form = ReversalForm(request.POST or None)

    def write() -> None:
        reason = form.cleaned_data["reason"]
        corrections.reverse(transfer.id, reason, staff_id, timezone.now())

    entries = transfer.entries.select_related("account__user").order_by("account_id")
    changes = [Change(entry.account, -entry.amount_credits) for entry in entries]
    if _is_confirmed(request, form, changes) and _write(form, write):
        messages.success(request, _("The transfer is taken back."))
        return redirect("admin:wallet_transfer_change", transfer.id)
    title = _("Take back the transfer %(transfer)s") % {"transfer": transfer}
    return _page(site, request, transfer, form, changes, title)


def _staff_id(request: HttpRequest) -> int:
    if not request.user.has_perm(PERMISSION) or request.user.pk is None:
        raise PermissionDenied
    return request.user.pk


def _is_confirmed(request: HttpRequest, form: Form, changes: list[Change]) -> bool:
    """Whether to write now. What cannot be is said before it is asked to be confirmed."""
    if not form.is_valid() or "edit" in request.POST:
        return False
    if "confirmed" in request.POST:
        return True
    for change in changes:
        if change.after is not None and change.credits < 0 and change.after < 0:
            _refuse(form, change.account, change.before or 0, -change.after)
    return False


def _write(form: Form, write: Callable[[], None]) -> bool:
    """Do it; False with an error on the form when the ledger refuses."""
    try:
        with writing():
            write()
    except InsufficientFunds as error:
        account = Account.objects.select_related("user").get(id=error.account_id)
        _refuse(form, account, error.available, error.shortfall)
    except KeyReused:
        form.add_error(None, _("This form was sent before, with something else. Begin anew."))
    return not form.errors


def _refuse(form: Form, account: Account, available: int, shortfall: int) -> None:
    text = ngettext(
        "%(account)s has %(available)s available: %(shortfall)s credit is missing.",
        "%(account)s has %(available)s available: %(shortfall)s credits are missing.",
        shortfall,
    )
    names = {"account": account.user or account, "available": credits(available)}
    form.add_error(None, text % {**names, "shortfall": credits(shortfall)})


def _page(
    site: AdminSite,
    request: HttpRequest,
    target: Model,
    form: Form,
    changes: list[Change],
    title: str,
) -> HttpResponse:
    asks = form.is_valid() and "edit" not in request.POST
    context: dict[str, Any] = {
        **site.each_context(request),
        "title": title,
        "opts": target._meta,
        "target": target,
        "form": form,
        "changes": changes,
        "asks": asks,
    }
    status = 422 if form.errors else 200
    return render(request, "admin/wallet/correction.html", context, status=status)
