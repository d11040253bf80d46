"""Emails about payments: a receipt, and the effect of a refund or dispute on the credits."""

from accounts.mail import member_emails
from shop.models import Payment
from shop.payments import debts
from shop.payments.currencies import money_text

State = Payment.State


def write(payment: Payment, state_before: str, refunded_before: int) -> None:
    """Write the email about a change of a payment, if the member gets one."""
    name = _name(payment, state_before, refunded_before)
    if name:
        context = {
            "payment": payment,
            # Functions, since amounts are formatted in the language of the email.
            "paid": lambda: money_text(payment.amount, payment.currency),
            "refunded": lambda: money_text(payment.refunded_amount, payment.currency),
            "returned": lambda: money_text(
                refunded_before - payment.refunded_amount, payment.currency
            ),
            "debt": debts.owed_by(payment.user_id),
        }
        member_emails.write(payment.user_id, name, context)


def _name(payment: Payment, state_before: str, refunded_before: int) -> str:
    if not payment.is_paid:
        return ""
    if payment.state == State.DISPUTED:
        return "" if state_before == State.DISPUTED else "top_up_disputed"
    if state_before not in (State.PAID, State.REFUNDED, State.DISPUTED):
        return "top_up_refunded" if payment.refunded_amount else "top_up_receipt"
    if payment.refunded_amount < refunded_before:
        return "top_up_refund_failed"
    return "top_up_refunded" if payment.refunded_amount > refunded_before else ""
