"""Refunds that staff or the site request. A worker asks the provider (`checks.py`)."""

from datetime import datetime

from accounts.shared import deadlines
from shop.models import Payment
from shop.payments import facts


def ask(payment: Payment, by_id: int | None, reason: str, now: datetime) -> bool:
    """Request the refund of a paid payment; return False if it is already requested or impossible.

    Must run in the caller's transaction. The credits are taken back once the provider has
    refunded the money.
    """
    row = facts.lock(payment.public_id)
    if row is None or row.state != Payment.State.PAID or row.awaits_refund:
        return False
    row.refund_asked_at, row.refund_by_id, row.refund_reason = now, by_id, reason
    row.refund_error, row.check_at, row.checks = "", now, 0
    row.save()
    deadlines.note(facts.TOP_UPS, now)
    return True


def attempt(payment: Payment) -> str:
    """Return the part of the idempotency key that changes when staff request the refund again."""
    assert payment.refund_asked_at is not None
    return str(int(payment.refund_asked_at.timestamp() * 1_000_000))


def fail(payment: Payment, why: str) -> None:
    """Mark the refund of a locked row, which the caller saves, as declined; staff may ask again."""
    payment.refund_error = why[: Payment._meta.get_field("refund_error").max_length]
