"""Pages of top-ups: the packs, the redirects to and from the provider, receipts."""

import re
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.shared import rate_limits
from accounts.shared.current_user import current_user
from accounts.shared.database_clock import CLOCK
from accounts.shared.own_urls import own_url
from accounts.shared.prose import reader_language
from accounts.shared.refusals import Refused, marked
from shop.models import Currency, Payment
from shop.payments import checkout, checks, ledger, limits, selectors
from wallet import texts
from wallet.limits import checks as limit_checks
from wallet.limits import texts as limit_texts
from wallet.limits.errors import OwnLimit
from wallet.selectors import funds_of, is_frozen

LIMIT = "top_up"  # key of ACCOUNT_RATE_LIMITS
# The value of a pack's button (`OfferedPack.code`).
_PACK = re.compile(r"([0-9]{1,9})-([0-9]{1,9})-([0-9]{1,9})")
_BACK_LENGTH = Payment._meta.get_field("back").max_length


@never_cache
@login_required
@require_safe
def show_packs(request: HttpRequest) -> HttpResponse:
    user = current_user(request)
    limit = limit_checks.objection(limit_checks.check_deposit, user.pk, 1, CLOCK.now())
    context = {
        "objection": limit_texts.objection_of(limit, request.get_full_path()),
        "offer": selectors.offer_for(user, request.GET.get("currency", "")),
        "funds": funds_of(user.pk),
        "is_frozen": is_frozen(),
        "back": own_url(request, request.GET.get("next", "")),
        "form_key": uuid4(),
    }
    return render(request, "shop/payments/top_up.html", context)


@require_POST
@login_required
def start(request: HttpRequest) -> HttpResponse:
    """Begin a payment and redirect to the provider's page, or show why there is no payment."""
    if not rate_limits.allow(request, LIMIT):
        return rate_limits.refuse(request, LIMIT)
    user, back = current_user(request), own_url(request, request.POST.get("next", ""))
    purchase = _purchase(request, back)
    if purchase is None:
        return _refuse(request, Refused("pack_gone"), back)
    try:
        payment = checkout.begin(user, purchase, _addresses(request), CLOCK.now())
    except Refused as refusal:
        return _refuse(request, refusal, back)
    return redirect(payment.checkout_url or reverse("shop:payment", args=[payment.public_id]))


def _purchase(request: HttpRequest, back: str) -> checkout.Purchase | None:
    """Read the form; return None for values that no form of the site sends."""
    fields, currency = request.POST, request.POST.get("currency", "")
    pack = _PACK.fullmatch(fields.get("pack", ""))
    try:
        key = UUID(fields.get("form_key", ""))
    except ValueError:
        return None
    if currency not in Currency or pack is None:
        return None
    pack_id, credits, amount = map(int, pack.groups())
    short = back if len(back) <= (_BACK_LENGTH or 0) else ""
    return checkout.Purchase(pack_id, credits, amount, currency, key, short)


def _addresses(request: HttpRequest) -> checkout.Addresses:
    # `str.format` fills "{}" with a payment's id, which never needs quoting.
    sample = "0" * 12
    returning = request.build_absolute_uri(reverse("shop:payment_return", args=[sample]))
    canceled = request.build_absolute_uri(reverse("shop:payment", args=[sample]))
    return checkout.Addresses(
        returning=returning.replace(sample, "{}"),
        canceled=canceled.replace(sample, "{}"),
        title=_("Credits for 5Stars Gammon"),
        language=reader_language(),
    )


def _refuse(request: HttpRequest, refusal: Refused, back: str) -> HttpResponse:
    messages.error(request, _sentence(refusal))
    query = f"?{urlencode({'next': back})}" if back else ""
    return marked(redirect(reverse("shop:top_up") + query), refusal.code)


def _sentence(refusal: Refused) -> str:
    if isinstance(refusal, OwnLimit):
        return _sentence_of_limit(refusal)
    return {
        "top_up_off": _("Credits cannot be bought here at the moment."),
        "not_member": _("Activate your account first: the link is in our email."),
        "credits_frozen": texts.frozen(),
        "pack_gone": _("This pack is no longer sold at this price. Please choose again."),
        "email_missing": _(
            "In this currency the receipt comes by email. Add an email to your account first."
        ),
        "provider_failed": _(
            "The payment page does not answer. Nothing was paid; please try again in a few minutes."
        ),
    }[refusal.code]


def _sentence_of_limit(refusal: OwnLimit) -> str:
    text = limit_texts.of(refusal)
    if refusal.code != "own_deposit" or not refusal.details.get("pending"):
        return text
    more = _("Your payments that are still open count too; most are settled within an hour or so.")
    return f"{text} {more}"


@never_cache
@login_required
@require_safe
def show_payments(request: HttpRequest) -> HttpResponse:
    """Show the member's own payments."""
    rows = selectors.payments_of(current_user(request).pk)
    return render(request, "shop/payments/payments.html", {"payments": rows})


@never_cache
@login_required
@require_safe
def show_payment(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show one payment; the page is its receipt once it is paid."""
    payment = _find(request, public_id)
    return render(request, "shop/payments/payment.html", _context(request, payment))


@never_cache
@login_required
@require_safe
def come_back(request: HttpRequest, public_id: str) -> HttpResponse:
    """Redirect a member who comes from the provider.

    Once the credits have arrived, and older debt is paid off with them, the member goes to the page
    for which they needed the credits; before that, to the page of the payment. Staff who open
    another member's address go to the page of the payment too.
    """
    payment = _find(request, public_id)
    address = reverse("shop:payment", args=[payment.public_id])
    if payment.user_id != current_user(request).pk:
        return redirect(address)
    if payment.is_open:
        checks.check_soon(payment.public_id, CLOCK.now())
    back = own_url(request, payment.back)
    if payment.state == Payment.State.PAID and back and payment.is_collected:
        messages.success(request, received(payment))
        return redirect(back)
    return redirect(f"{address}?returned=1" if payment.is_open else address)


def received(payment: Payment) -> str:
    text = ngettext(
        "You received %(credits)d credit.", "You received %(credits)d credits.", payment.credits
    )
    return f"{text % {'credits': payment.credits}} {_paid_debt(payment)}".strip()


def _paid_debt(payment: Payment) -> str:
    """Say how many of the payment's credits paid off older debt; "" if none did."""
    debt = ledger.debt_paid_by(payment)
    if not debt:
        return ""
    text = ngettext(
        "%(credits)d of them was used to pay your debt.",
        "%(credits)d of them were used to pay your debt.",
        debt,
    )
    return text % {"credits": debt}


def _find(request: HttpRequest, public_id: str) -> Payment:
    payment = selectors.find_payment(public_id, current_user(request))
    if payment is None:
        raise Http404
    return payment


def _context(request: HttpRequest, payment: Payment) -> dict[str, Any]:
    return {
        "payment": payment,
        "is_own": payment.user_id == current_user(request).pk,
        "has_returned": "returned" in request.GET,
        "is_waiting": ledger.is_waiting(payment),
        "paid_debt": _paid_debt(payment),
        "has_mismatch": selectors.has_mismatch(payment),
        "objection": _objection(request, payment),
        "back": own_url(request, payment.back),
    }


def _objection(request: HttpRequest, payment: Payment) -> limit_texts.Objection | None:
    """Return why the member may not pay an open payment any more, such as a break; else None."""
    user = current_user(request)
    if not payment.is_open or payment.user_id != user.pk:
        return None
    asked = (user, payment.credits, CLOCK.now(), payment)
    refusal = limit_checks.objection(limits.need_within_limits, *asked)
    return limit_texts.objection_of(refusal, request.path)
