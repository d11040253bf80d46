"""Check open payments again: ask the provider, expire old ones, carry out refunds.

This runs in a thread of the worker, beside its loop: a provider may take seconds. A payment is
leased by postponing its next check. No lock is held while the provider is asked; if the process
dies in between, the payment is checked again.
"""

import logging
from datetime import datetime, timedelta

from django.db import connection

from accounts.shared import deadlines
from accounts.shared.transactions import write_transaction
from shop.models import Payment
from shop.payments import facts, providers, refunds
from shop.payments.facts import TOP_UPS
from shop.payments.providers.port import Facts, Rejected, Unavailable

logger = logging.getLogger(__name__)

BATCH = 20  # payments leased in one call
# Waits after the first check, the second, ...; the last one repeats. Each is also the lease, so it
# must be longer than a provider takes to answer. Late in a slow batch another worker may lease a
# payment again and ask about it too.
WAITS = tuple(timedelta(seconds=seconds) for seconds in (30, 60, 120, 300, 900))
# Time for which the provider is still asked about an expired payment that it calls open: the
# provider's own time to pay may end later, and its message may be lost.
LATE_FOR = timedelta(days=1)


def settle_due(now: datetime) -> datetime | None:
    """Check the payments that are due; return when the next is due, None if none waits."""
    waiting = Payment.objects.filter(check_at__isnull=False).order_by("check_at")
    moments = waiting.values_list("check_at", flat=True)
    first = moments.first()
    if first is None or first > now:
        return first
    for payment in _lease(now):
        try:
            check(payment, now)
        except Unavailable as error:
            logger.warning("payment %s: no answer: %s", payment.public_id, error)
        except Exception:
            logger.exception("payment %s not checked", payment.public_id)
    return moments.first()


def check_soon(public_id: str, now: datetime) -> None:
    """Let the worker check a payment now that the member is back, unless it was checked before."""
    with write_transaction():
        rows = Payment.objects.filter(public_id=public_id, state=Payment.State.PENDING, checks=0)
        if rows.update(check_at=now):
            deadlines.note(TOP_UPS, now)


def check(payment: Payment, now: datetime) -> None:
    """Ask the provider about a leased payment and apply the answer.

    Raises Unavailable if the provider does not answer.
    """
    refusal = ""
    try:
        answer = _ask(payment)
    except Rejected as error:
        answer, refusal = None, str(error)
        logger.warning("payment %s: rejected: %s", payment.public_id, error)
    with write_transaction():
        row = facts.lock(payment.public_id)
        assert row is not None
        if row.state == Payment.State.EXPIRED:
            row.check_at = None  # unless the answer says that the payment may come late
        if refusal and row.awaits_refund and _is_same_attempt(row, payment):
            refunds.fail(row, refusal)
        known = answer or Facts(row.public_id)
        if row.is_open and not known.is_paid and now >= row.expires_at:
            known = Facts(row.public_id, row.reference, ended=known.ended or "EXPIRED")
        if not facts.apply(row, known, now):
            facts.note_mismatch(row, now)
            row.check_at = None
            row.save(update_fields=["check_at"])
        elif answer is not None and _may_come_late(row, answer, now):
            _check_later(row, now)


def _is_same_attempt(row: Payment, asked: Payment) -> bool:
    """Return whether staff have not requested the refund again since the provider was asked."""
    return row.refund_asked_at == asked.refund_asked_at


def _may_come_late(payment: Payment, answer: Facts, now: datetime) -> bool:
    is_expired = payment.state == Payment.State.EXPIRED
    return is_expired and not answer.ended and now < payment.expires_at + LATE_FOR


def _check_later(payment: Payment, now: datetime) -> None:
    """Check again when the payment's age has doubled: about five times within a day."""
    payment.check_at = now + (now - payment.created_at)
    payment.save(update_fields=["check_at"])
    deadlines.note(TOP_UPS, payment.check_at)


def _ask(payment: Payment) -> Facts | None:
    provider = providers.find(payment.provider)
    if provider is None or not payment.reference:
        return None
    if payment.awaits_refund:
        attempt, email = refunds.attempt(payment), payment.user.email
        return provider.refund(payment.public_id, payment.reference, attempt, email)
    return None if payment.is_paid else provider.find(payment.reference)


def _lease(now: datetime) -> list[Payment]:
    with write_transaction():
        due = Payment.objects.filter(check_at__lte=now).order_by("check_at", "pk")
        if connection.features.has_select_for_update_skip_locked:
            due = due.select_for_update(skip_locked=True)
        found = list(due[:BATCH])
        for payment in found:
            payment.check_at = now + WAITS[min(payment.checks, len(WAITS) - 1)]
            payment.checks = min(payment.checks + 1, 1000)  # far below the column's maximum
            payment.save(update_fields=["check_at", "checks"])
    return found
