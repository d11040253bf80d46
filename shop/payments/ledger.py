"""The credits of a payment: posted once, taken back by what is there, the rest a debt.

The rule of debts: of returned payments the member's available credits are taken at once. What is
missing is their debt to the house: no opponent loses by it, and credits reserved for a game stay
there. A debt is paid off by the next top-ups, by nothing else. A dispute that is decided for the
site lowers the debt first; the rest of the credits comes back.

Locks: the payment's row (by the caller), the member's debt, the wallet's accounts.
"""

from datetime import datetime

from shop import causes
from shop.models import Debt, Payment
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
    debt = _locked_debt_of(payment.user_id)
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
    debt.save(update_fields=["credits"])
    return True


def owed_by(user_id: int) -> int:
    """Return the member's debt in credits."""
    owed = Debt.objects.filter(user_id=user_id).values_list("credits", flat=True).first()
    return owed or 0


def is_waiting(payment: Payment) -> bool:
    """Return whether the credits of a payment wait for the end of a freeze."""
    return payments.is_waiting(_key(payment))


def _key(payment: Payment) -> str:
    return f"top_up:{payment.public_id}"


def _locked_debt_of(user_id: int) -> Debt:
    Debt.objects.get_or_create(user_id=user_id)
    return Debt.objects.select_for_update(no_key=True).get(user_id=user_id)


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
    debt.credits += credits - taken


def _give_back(payment: Payment, debt: Debt, credits: int, now: datetime) -> None:
    no_longer_owed = min(debt.credits, credits)
    debt.credits -= no_longer_owed
    payment.reversed_credits -= credits
    cause = Cause(causes.RETURNED, payment.public_id)
    _move(payment, credits - no_longer_owed, cause, now)


def _collect(payment: Payment, debt: Debt, now: datetime) -> None:
    """Pay the debt off from what is kept of this top-up, once."""
    payment.is_collected = True
    wanted = min(debt.credits, payment.credits - payment.reversed_credits)
    debt.credits -= _move(payment, -wanted, Cause(causes.DEBT, payment.public_id), now)


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
