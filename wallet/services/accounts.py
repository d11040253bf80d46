"""Find accounts, or open them on first use.

Call these functions before the first transfer or hold of a transaction: opening an account locks
it, and other transactions that need the same account wait. The balances of the returned rows may be
stale; only the services that lock the accounts read current ones.
"""

from collections.abc import Collection

from django.db.models import Q

from wallet.errors import WalletError
from wallet.models import Account
from wallet.money import House
from wallet.services.field_limits import need_fit
from wallet.services.locking import need_transaction


def of_user(user_id: int) -> Account:
    need_transaction()
    account, _ = Account.objects.get_or_create(
        user_id=user_id, defaults={"kind": Account.Kind.USER, "balance_credits": 0}
    )
    return account


def pot(code: str) -> Account:
    """Return the pot of a code: the caller's opaque text, at most 64 characters."""
    need_transaction()
    if not code:
        raise WalletError("a pot needs a code")
    need_fit(Account, code=code)
    account, _ = Account.objects.get_or_create(
        kind=Account.Kind.POT, code=code, defaults={"balance_credits": 0}
    )
    return account


def pot_with_users(code: str, user_ids: Collection[int]) -> tuple[Account, dict[int, Account]]:
    """Return the pot and the accounts of these users, which must exist, in one query.

    Raises Account.DoesNotExist if one is missing.
    """
    need_transaction()
    found = Account.objects.filter(Q(kind=Account.Kind.POT, code=code) | Q(user_id__in=user_ids))
    by_user = {account.user_id: account for account in found}  # the pot's user is None
    missing = {None, *user_ids} - by_user.keys()
    if missing:
        raise Account.DoesNotExist(f"pot {code} or an account of its users {sorted(user_ids)}")
    pot = by_user.pop(None)
    return pot, {id: account for id, account in by_user.items() if id is not None}


def house(name: House) -> Account:
    need_transaction()
    account, _ = Account.objects.get_or_create(kind=Account.Kind.HOUSE, code=name.value)
    return account
