"""The credits of a payment: post them once, and take them back if the payment is returned.

If a payment is returned, the member's available credits are taken back at once. The missing ones
are the member's debt to the house: no opponent loses by it, and credits reserved for a game stay
reserved. Only the next top-ups pay a debt off. A payment may turn out valid after all: a dispute is
decided for the site, or a refund fails. Then the credits taken back return to the member, less
those that were waived (the member has spent them) and those that lower the debt.

Lock order: the payment's row (by the caller), the member's debt, the wallet's accounts.
"""

from datetime import datetime

from django.db.models import Sum

from shop import causes
from shop.models import Debt, Payment
from shop.payments import debts
from wallet.models import Entry, Transfer
from wallet.money import House
from wallet.selectors import is_frozen
from wallet.services import accounts, owed, transfers
from wallet.services.locking import lock
from wallet.services.transfers import Cause


def settle(payment: Payment, now: datetime) -> bool:
    """Post the credits that follow from the facts of a locked row; return whether all is done.

    While credits are frozen, a top-up waits in the wallet, and nothing is taken back.
    """
    if not payment.is_paid:
        return True
    debt = debts.locked(payment.user_id)
    if payment.credited_at is None:
        if payment.due_back_credits == payment.credits:
            return True  # returned before it was credited
        _credit(payment, now)
    if is_frozen() or is_waiting(payment):
        return False
    change = payment.due_back_credits - payment.reversed_credits
    if change > 0:
        _take_back(payment, debt, change, now)
    elif change < 0:
        _give_back(payment, debt, -change, now)
    if not payment.is_collected:
        _collect(payment, debt, now)
    return True


def is_waiting(payment: Payment) -> bool:
    """Return whether the credits of a payment wait for the end of a freeze."""
    return owed.is_waiting(_key(payment))


def debt_paid_by(payment: Payment) -> int:
    """Return the credits of a payment that have paid off older debt."""
    parts = Entry.objects.filter(
        transfer__key__in=_later_keys(payment), transfer__cause=causes.DEBT, amount_credits__gt=0
    )
    return parts.aggregate(sum=Sum("amount_credits"))["sum"] or 0


def _key(payment: Payment) -> str:
    return f"top_up:{payment.public_id}"


def _later_keys(payment: Payment) -> list[str]:
    """Return the keys of the payment's transfers after the first."""
    return [f"{_key(payment)}:{number}" for number in range(1, payment.postings + 1)]


def _credit(payment: Payment, now: datetime) -> None:
    bought, account = accounts.house(House.BOUGHT), accounts.of_user(payment.user_id)
    amounts = {bought.id: -payment.credits, account.id: payment.credits}
    owed.pay(_key(payment), Cause(causes.TOP_UP, payment.public_id), amounts, now)
    payment.credited_at = now


def _take_back(payment: Payment, debt: Debt, credits: int, now: datetime) -> None:
    is_disputed = payment.state == Payment.State.DISPUTED
    code = causes.DISPUTE if is_disputed else causes.REFUND
    reason = "" if is_disputed else payment.refund_reason
    taken = _move(payment, -credits, Cause(code, payment.public_id, reason), now)
    payment.reversed_credits += credits
    debts.add(debt, payment, credits - taken)


def _give_back(payment: Payment, debt: Debt, credits: int, now: datetime) -> None:
    payment.reversed_credits -= credits
    left = credits - debts.forget_waived(payment, credits)
    left -= debts.lower(debt, left, first=payment)
    _move(payment, left, Cause(_why_given_back(payment), payment.public_id), now)


def _why_given_back(payment: Payment) -> str:
    """Return the cause for giving credits back: the opposite of the last cause for taking them."""
    rows = Transfer.objects.filter(key__in=_later_keys(payment))
    taken = rows.filter(cause__in=(causes.REFUND, causes.DISPUTE))
    last = taken.order_by("pk").values_list("cause", flat=True).last()
    if last is None:
        is_disputed = payment.dispute == Payment.Dispute.WON
        return causes.RETURNED if is_disputed else causes.REFUND_FAILED
    return causes.RETURNED if last == causes.DISPUTE else causes.REFUND_FAILED


def _collect(payment: Payment, debt: Debt, now: datetime) -> None:
    """Pay the debt off, once, with the credits of this top-up that were not taken back."""
    payment.is_collected = True
    wanted = min(debt.credits, payment.credits - payment.reversed_credits)
    taken = _move(payment, -wanted, Cause(causes.DEBT, payment.public_id), now)
    debts.lower(debt, taken)


def _move(payment: Payment, credits: int, cause: Cause, now: datetime) -> int:
    """Post credits to the member, or take the available ones if negative; return how many moved."""
    bought, account = accounts.house(House.BOUGHT), accounts.of_user(payment.user_id)
    available = lock([account.id])[account.id].available_credits
    moved = max(credits, -available)
    if moved:
        payment.postings += 1
        key = f"{_key(payment)}:{payment.postings}"
        transfers.post(key, cause, {bought.id: -moved, account.id: moved}, now)
    return abs(moved)
