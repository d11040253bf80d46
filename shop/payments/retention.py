"""Delete unpaid payments and old messages. Paid payments are kept as business records."""

from datetime import datetime

from accounts.shared.transactions import write_transaction
from shop.models import Payment, PaymentEvent, SandboxCheckout

State = Payment.State
_APPLIED = PaymentEvent.Outcome.APPLIED
_NEVER_PAID = (State.CREATED, State.FAILED, State.EXPIRED)


def forget(before: datetime) -> int:
    """Delete unpaid payments, applied messages and sandbox checkouts from before a time.

    Return the number of payments deleted. No provider repeats a message after some days, so
    messages about paid payments are deleted too.
    """
    with write_transaction():
        PaymentEvent.objects.filter(received_at__lt=before, outcome=_APPLIED).delete()
        SandboxCheckout.objects.filter(created_at__lt=before).delete()
        # If a message is left, a wrong amount was paid: staff may have to return it.
        unpaid = Payment.objects.filter(
            state__in=_NEVER_PAID, created_at__lt=before, check_at=None, events=None
        )
        _, deleted = unpaid.delete()
        return deleted.get(Payment._meta.label, 0)
