"""Compute `Account.given_credits` again from the entries of gifts."""

from collections.abc import Collection

from django.db.models import Sum

from accounts.shared.transactions import write_transaction
from wallet import causes
from wallet.models import Account, Entry
from wallet.services.locking import lock

# Accounts locked at once.
CHUNK = 200


def recount() -> int:
    """Correct the sums of all accounts, while transfers may go on; return how many were wrong."""
    kept = Account.objects.exclude(kind=Account.Kind.HOUSE).order_by("id")
    ids = list(kept.values_list("id", flat=True))
    return sum(_recount(ids[start : start + CHUNK]) for start in range(0, len(ids), CHUNK))


def _recount(account_ids: Collection[int]) -> int:
    with write_transaction():
        locked = lock(account_ids)
        given = _given(account_ids)
        wrong = [each for each in locked.values() if each.given_credits != given.get(each.id, 0)]
        for account in wrong:
            account.given_credits = given.get(account.id, 0)
        Account.objects.bulk_update(wrong, ["given_credits"])
        return len(wrong)


def _given(account_ids: Collection[int]) -> dict[int, int]:
    gifts = Entry.objects.filter(
        account__in=account_ids, transfer__cause__in=causes.codes_of(causes.GIFTS)
    )
    sums = gifts.order_by().values_list("account_id").annotate(Sum("amount_credits"))
    return dict(sums)
