"""Tells the owners of accounts that their balance changed. After the commit."""

from collections.abc import Iterable
from functools import partial

from django.db import transaction

from accounts.broadcast import nudge
from wallet.models import Account


def after_commit(account_ids: Iterable[int]) -> None:
    """Tell them when the transaction is committed. What fails then is logged: it is done."""
    transaction.on_commit(partial(balances_changed, list(account_ids)), robust=True)


def balances_changed(account_ids: Iterable[int]) -> None:
    owners = Account.objects.filter(id__in=list(account_ids), user__isnull=False)
    for user_id in owners.values_list("user_id", flat=True):
        assert user_id is not None
        nudge(user_id, "balance")
