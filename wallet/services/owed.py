"""Post a transfer at once or, while credits are frozen, after staff lift the freeze.

What a freeze holds back is an *owed transfer*, a row of `WaitingPayment`.
"""

import logging
from collections.abc import Mapping
from datetime import datetime

from django.db.models import Exists, QuerySet

from accounts.shared import deadlines
from accounts.shared.transactions import write_transaction
from wallet.errors import Frozen, KeyReused
from wallet.models import Freeze, Transfer, WaitingPayment
from wallet.services import transfers
from wallet.services.locking import lock, need_transaction
from wallet.services.transfers import Cause

logger = logging.getLogger(__name__)

# The kind of deadline of owed transfers, as the worker's loop, its logs and its metrics name it.
OWED = "payments"
BATCH = 100  # owed transfers posted in one call of `settle_due`
RETRIES = deadlines.Retries(logger, "payment not made", "payment")


def pay(key: str, cause: Cause, amounts: Mapping[int, int], now: datetime) -> Transfer | None:
    """Post a transfer or, while credits are frozen, store it as an owed transfer and return None.

    Idempotent in both cases. Raises what `transfers.post` raises, except Frozen.
    """
    need_transaction()
    try:
        return transfers.post(key, cause, amounts, now)
    except Frozen:  # `post` checked under its locks, and wrote nothing
        pass
    accounts = lock(amounts)
    for account_id, credits in amounts.items():
        transfers.need_available(accounts[account_id], -credits)
    written = {
        "cause": cause.code,
        "reference": cause.reference,
        "reason": cause.reason,
        "by_id": cause.by_id,
        "amounts": {str(account_id): credits for account_id, credits in amounts.items()},
    }
    row, is_new = WaitingPayment.objects.get_or_create(
        key=key, defaults={**written, "created_at": now}
    )
    if not is_new and written != {name: getattr(row, name) for name in written}:
        raise KeyReused(f"the key {key} belongs to another owed transfer")
    return None


def is_waiting(key: str) -> bool:
    """Return whether the transfer is owed and not posted yet, whether or not credits are frozen."""
    return WaitingPayment.objects.filter(key=key, paid_at=None).exists()


def payable() -> QuerySet[WaitingPayment]:
    """Return the owed transfers that may be posted now, the oldest first; none while frozen."""
    frozen = Exists(Freeze.objects.filter(lifted_at=None))
    return WaitingPayment.objects.filter(~frozen, paid_at=None).order_by("id")


def settle_due(now: datetime) -> datetime | None:
    """Post the payable transfers; return when to go on, None if none is left to post."""
    rows = payable().exclude(id__in=RETRIES.resting(now))
    due = list(rows.values_list("id", flat=True)[:BATCH])
    RETRIES.settle(due, lambda row_id: _post(row_id, now), now)
    return now if len(due) == BATCH else RETRIES.next_at(None, now)


def _post(row_id: int, now: datetime) -> None:
    with write_transaction():
        rows = WaitingPayment.objects.select_for_update().filter(pk=row_id, paid_at=None)
        row = rows.first()
        if row is None:  # posted meanwhile by another worker
            return
        cause = Cause(row.cause, row.reference, row.reason, row.by_id)
        amounts = {int(account_id): credits for account_id, credits in row.amounts.items()}
        try:
            transfers.post(row.key, cause, amounts, now)
        except Frozen:  # a new freeze began after the row was read
            return
        row.paid_at = now
        row.save(update_fields=["paid_at"])
