"""Emails about payments: a receipt, and what a refund or a dispute did to the credits."""

from accounts.mail import notices
from shop.models import Payment
from shop.payments import ledger
from shop.payments.currencies import money_text

State = Payment.State


def write(payment: Payment, state_before: str, refunded_before: int) -> None:
    """Write the email for a change of a payment, if there is one to write."""
    name = _name(payment, state_before, refunded_before)
    if name:
        context = {
            "payment": payment,
            # Written in the email's language, so not yet here.
            "paid": lambda: money_text(payment.amount, payment.currency),
            "refunded": lambda: money_text(payment.refunded_amount, payment.currency),
            "debt": ledger.owed_by(payment.user_id),
        }
        notices.write(payment.user_id, name, context)


def _name(payment: Payment, state_before: str, refunded_before: int) -> str:
    if not payment.is_paid:
        return ""
    if payment.state == State.DISPUTED:
        return "" if state_before == State.DISPUTED else "top_up_disputed"
    was_paid = state_before in (State.PAID, State.REFUNDED, State.DISPUTED)
    if payment.refunded_amount > (refunded_before if was_paid else 0):
        return "top_up_refunded"
    return "" if was_paid else "top_up_receipt"
