"""Notify account owners that their balance changed, after the commit."""

from collections.abc import Iterable
from functools import partial

from accounts.broadcast import nudge
from accounts.shared.transactions import announce_after_commit
from wallet.models import Account


def after_commit(changed: Iterable[Account]) -> None:
    """Nudge the owners after the commit; a failure there is logged, not raised."""
    owners = [account.user_id for account in changed if account.user_id is not None]
    announce_after_commit(partial(balances_changed, owners))


def balances_changed(user_ids: Iterable[int]) -> None:
    for user_id in user_ids:
        nudge(user_id, "balance")
