"""Take a good back and return its price. Staff do it, with a reason."""

from datetime import datetime

from django.db import transaction

from accounts.broadcast import nudge
from accounts.profile import looks
from accounts.shared.transactions import write_transaction
from shop.models import OwnedGood
from wallet.services import transfers


def refund(owned: OwnedGood, reason: str, by_id: int, now: datetime) -> bool:
    """Reverse the transfer, end the ownership, take the look off; return False if done before."""
    with write_transaction():
        looks.lock_worn(owned.user_id)
        row = OwnedGood.objects.select_for_update().select_related("good").get(pk=owned.pk)
        if row.refunded_at is not None:
            return False
        transfers.reverse(row.transfer_id, reason, by_id, now)
        OwnedGood.objects.filter(pk=row.pk).update(refunded_at=now)
        if looks.take_off(row.user_id, row.good.kind, row.good.code):
            transaction.on_commit(lambda: nudge(row.user_id, "choices"))
        return True
