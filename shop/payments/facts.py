"""Apply a provider's facts to a payment and move the credits that follow, in one transaction.

No facts undo newer ones, so late, repeated and reordered messages lead to the same row.
"""

import logging
from datetime import datetime, timedelta

from accounts.shared import deadlines
from accounts.shared.transactions import write_transaction
from shop.models import Payment, PaymentEvent
from shop.payments import ledger, receipts
from shop.payments.providers.port import Event, Facts

logger = logging.getLogger(__name__)

# Kind of the deadlines at which the worker checks payments.
TOP_UPS = "top_ups"
# Time between two checks of a paid payment whose credits wait for the end of a freeze.
SETTLE_EVERY = timedelta(minutes=1)
State, Dispute, Outcome = Payment.State, Payment.Dispute, PaymentEvent.Outcome
_FINAL = (Dispute.WON, Dispute.LOST)


def receive(provider: str, event: Event, now: datetime) -> bool:
    """Apply a verified message once; return whether it was new and about a payment of this site."""
    if event.facts is None:
        return False
    with write_transaction():
        payment = lock(event.facts.public_id)
        if payment is None or payment.provider != provider:
            logger.warning("%s: event %s names no payment of this provider", provider, event.id)
            return False
        written, is_new = PaymentEvent.objects.get_or_create(
            provider=provider,
            event_id=event.id,
            defaults={
                "kind": event.kind,
                "payment": payment,
                "outcome": Outcome.APPLIED,
                "received_at": now,
            },
        )
        if is_new and not apply(payment, event.facts, now):
            written.outcome = Outcome.MISMATCH
            written.save(update_fields=["outcome"])
        return is_new


def note_mismatch(payment: Payment, now: datetime) -> None:
    """Store once that a check found another amount paid; `receive` does so for messages."""
    PaymentEvent.objects.get_or_create(
        provider=payment.provider,
        event_id=f"check:{payment.public_id}",
        defaults={
            "kind": "check",
            "payment": payment,
            "outcome": Outcome.MISMATCH,
            "received_at": now,
        },
    )


def lock(public_id: str) -> Payment | None:
    """Return the payment with its row locked; None if it does not exist."""
    rows = Payment.objects.select_for_update(no_key=True)
    return rows.filter(public_id=public_id).first()


def apply(payment: Payment, facts: Facts, now: datetime) -> bool:
    """Merge facts into a locked row, move its credits; return False if another amount was paid."""
    if facts.is_paid and (facts.amount, facts.currency) != (payment.amount, payment.currency):
        _fail(payment, facts)
        return False
    before, was_paid = (payment.state, payment.refunded_amount), payment.is_paid
    _merge(payment, facts, now)
    if payment.is_paid and not was_paid and payment.user.closed_at is not None:
        _refund(payment, now)
    is_settled = ledger.settle(payment, now)
    payment.check_at = _next_check(payment, facts, now, is_settled=is_settled)
    payment.save()
    deadlines.note(TOP_UPS, payment.check_at)
    receipts.write(payment, *before)
    return True


def _next_check(
    payment: Payment, facts: Facts, now: datetime, *, is_settled: bool
) -> datetime | None:
    if payment.is_open or payment.awaits_refund:
        return payment.check_at or now
    if payment.state == State.EXPIRED and not facts.ended:
        return payment.check_at  # it may still be paid late
    return None if is_settled else now + SETTLE_EVERY


def _fail(payment: Payment, facts: Facts) -> None:
    """End a payment for which another amount was paid; nothing is credited."""
    logger.error(
        "payment %s: %s %s paid, not %s %s; nothing is credited",
        payment.public_id,
        facts.amount,
        facts.currency,
        payment.amount,
        payment.currency,
    )
    if payment.is_open:
        payment.state, payment.check_at = State.FAILED, None
        payment.save(update_fields=["state", "check_at"])


def _refund(payment: Payment, now: datetime) -> None:
    """Request the refund of a payment that came after the member had closed the account."""
    if payment.refund_asked_at is None:
        payment.refund_asked_at = now
        payment.refund_reason = "The account was closed before the payment came."


def _merge(payment: Payment, facts: Facts, now: datetime) -> None:
    payment.reference = payment.reference or facts.reference
    if facts.is_paid:
        payment.paid_at = payment.paid_at or now
    _merge_refunds(payment, facts)
    if facts.dispute and payment.dispute not in _FINAL:
        payment.dispute = facts.dispute
    payment.state = _state(payment, facts.ended)
    if not payment.is_open:
        payment.checkout_url = ""


def _merge_refunds(payment: Payment, facts: Facts) -> None:
    payment.refunds_amount = max(payment.refunds_amount, facts.refunded)
    if facts.failed_refunds > payment.failed_refunds_amount:
        payment.failed_refunds_amount = facts.failed_refunds
        # If the refund was requested on this site, the worker that asks for it stores the error.
        if payment.refund_asked_at is None:
            payment.refund_error = "failed"
    refunded = payment.refunds_amount - payment.failed_refunds_amount
    payment.refunded_amount = max(0, min(refunded, payment.amount))
    if payment.refunded_amount == payment.amount:
        payment.refund_error = ""  # of an earlier try
    if facts.is_refund_over and payment.awaits_refund:
        # An earlier refund of a part failed after the rest was refunded: staff ask for it again.
        payment.refund_error = "incomplete"


def _state(payment: Payment, ended: str) -> str:
    if payment.is_paid:
        if payment.dispute in (Dispute.OPEN, Dispute.LOST):
            return State.DISPUTED
        return State.REFUNDED if payment.refunded_amount == payment.amount else State.PAID
    if ended and payment.is_open:
        return ended
    return payment.state
