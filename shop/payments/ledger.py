"""The credits of a payment: posted once, taken back by what is there, the rest a debt.

The rule of debts: of returned payments the member's available credits are taken at once. What is
missing is their debt to the house: no opponent loses by it, and credits reserved for a game stay
there. A debt is paid off by the next top-ups, by nothing else. When a payment stands after all, for
a dispute decided for the site or a refund that failed, what was waived of it is the member's
already; the rest lowers the debt first and then comes back.

Locks: the payment's row (by the caller), the member's debt, the wallet's accounts.
"""

from datetime import datetime

from shop import causes
from shop.models import Debt, Payment
from shop.payments import debts
from wallet.models import Transfer
from wallet.money import House
from wallet.selectors import is_frozen
from wallet.services import accounts, payments, transfers
from wallet.services.locking import lock
from wallet.services.transfers import Cause


def settle(payment: Payment, now: datetime) -> bool:
    """Bring the credits in line with the facts of a locked row; return whether nothing is left.

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
    return payments.is_waiting(_key(payment))


def _key(payment: Payment) -> str:
    return f"top_up:{payment.public_id}"


def _credit(payment: Payment, now: datetime) -> None:
    bought, account = accounts.house(House.BOUGHT), accounts.of_user(payment.user_id)
    amounts = {bought.id: -payment.credits, account.id: payment.credits}
    payments.pay(_key(payment), Cause(causes.TOP_UP, payment.public_id), amounts, now)
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
    """Return the cause that answers the last one by which credits were taken."""
    keys = [f"{_key(payment)}:{number}" for number in range(1, payment.postings + 1)]
    taken = Transfer.objects.filter(key__in=keys, cause__in=(causes.REFUND, causes.DISPUTE))
    last = taken.order_by("pk").values_list("cause", flat=True).last()
    if last is None:
        is_disputed = payment.dispute == Payment.Dispute.WON
        return causes.RETURNED if is_disputed else causes.REFUND_FAILED
    return causes.RETURNED if last == causes.DISPUTE else causes.REFUND_FAILED


def _collect(payment: Payment, debt: Debt, now: datetime) -> None:
    """Pay the debt off from what is kept of this top-up, once."""
    payment.is_collected = True
    wanted = min(debt.credits, payment.credits - payment.reversed_credits)
    taken = _move(payment, -wanted, Cause(causes.DEBT, payment.public_id), now)
    debts.lower(debt, taken)


def _move(payment: Payment, credits: int, cause: Cause, now: datetime) -> int:
    """Post credits to the member, or take what is available of them; return how many moved."""
    bought, account = accounts.house(House.BOUGHT), accounts.of_user(payment.user_id)
    available = lock([account.id])[account.id].available_credits
    moved = max(credits, -available)
    if moved:
        payment.postings += 1
        key = f"{_key(payment)}:{payment.postings}"
        transfers.post(key, cause, {bought.id: -moved, account.id: moved}, now)
    return abs(moved)
