"""The only place that locks accounts: by ascending id, so that writers cannot deadlock."""

from collections.abc import Iterable

from django.db import connection

from wallet.errors import NotInTransaction
from wallet.models import Account


def need_transaction() -> None:
    """Raise NotInTransaction outside a transaction: a failure would not undo our writes there."""
    if not connection.in_atomic_block:
        raise NotInTransaction("the ledger can only be written inside the caller's transaction")


def lock(account_ids: Iterable[int]) -> dict[int, Account]:
    """Return accounts by id; lock those of users and pots, only read those of the house.

    Raises Account.DoesNotExist if one is missing.
    """
    need_transaction()
    wanted = set(account_ids)
    kept = Account.objects.filter(id__in=wanted).exclude(kind=Account.Kind.HOUSE)
    found = {account.id: account for account in kept.select_for_update(no_key=True).order_by("id")}
    missing = wanted - found.keys()
    if missing:
        found |= Account.objects.filter(kind=Account.Kind.HOUSE).in_bulk(missing)
    if wanted - found.keys():
        raise Account.DoesNotExist(f"no accounts {sorted(wanted - found.keys())}")
    return found
