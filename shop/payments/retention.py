"""Delete what no longer matters of payments. Those that were paid are kept for the books."""

from datetime import datetime

from accounts.shared.transactions import write_transaction
from shop.models import Payment, PaymentEvent, SandboxCheckout

State = Payment.State
_APPLIED = PaymentEvent.Outcome.APPLIED
_NEVER_PAID = (State.CREATED, State.FAILED, State.EXPIRED)


def forget(before: datetime) -> int:
    """Delete unpaid payments and messages older than `before`; return how many payments.

    No provider repeats a message after some days, so those of paid payments may go too.
    """
    with write_transaction():
        PaymentEvent.objects.filter(received_at__lt=before, outcome=_APPLIED).delete()
        SandboxCheckout.objects.filter(created_at__lt=before).delete()
        # One with a message left was paid with another amount: staff may have to return it.
        unpaid = Payment.objects.filter(
            state__in=_NEVER_PAID, created_at__lt=before, check_at=None, events=None
        )
        _, deleted = unpaid.delete()
        return deleted.get(Payment._meta.label, 0)
