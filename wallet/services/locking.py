"""The one place that locks accounts: always by ascending id, so that no writers can deadlock."""

from collections.abc import Iterable

from django.db import connection

from wallet.models import Account
from wallet.money import NotInTransaction


def need_transaction() -> None:
    """Raises `NotInTransaction` where a failure of the caller could not undo what we write."""
    if not connection.in_atomic_block:
        raise NotInTransaction("the ledger is written inside the caller's transaction only")


def lock(account_ids: Iterable[int]) -> dict[int, Account]:
    """The accounts by id, users' and pots' locked; those of the house are only read.

    Raises `Account.DoesNotExist` when one is missing.
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
