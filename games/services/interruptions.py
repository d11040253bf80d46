"""Void a match that outages of the site interrupted, if staff decide to."""

from datetime import datetime

from accounts.models import User
from accounts.shared.transactions import write_transaction
from games.models import Interruption
from games.services.transaction import MatchTransaction
from games.services.voiding import OUTAGE_CAUSE, void


def confirm(interruption: Interruption, staff: User, now: datetime) -> bool:
    """Void the interrupted match with full refunds; return False if it is over already."""
    with write_transaction():
        tx = MatchTransaction.lock(interruption.match.public_id, now)
        if tx.match.is_finished:
            return False
        void(tx, OUTAGE_CAUSE)
        tx.save()
        Interruption.objects.filter(pk=interruption.pk).update(voided_at=now, voided_by=staff)
    return True
