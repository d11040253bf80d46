"""Finding accounts, and opening them when they are first needed.

Find them before the first transfer or hold of a transaction: a new account is locked by the
transaction that opens it, and whoever wants the same one waits. The balances of what is returned
may be old; they are known only under the lock, by the services that need them.
"""

from wallet.models import Account
from wallet.money import House, WalletError
from wallet.services.locking import need_transaction
from wallet.services.texts import need_fit


def of_user(user_id: int) -> Account:
    """The account of a user."""
    need_transaction()
    account, _ = Account.objects.get_or_create(
        user_id=user_id, defaults={"kind": Account.Kind.USER, "balance_credits": 0}
    )
    return account


def pot(code: str) -> Account:
    """The pot of the given code, an opaque text of whoever gathers it (64 characters at most)."""
    need_transaction()
    if not code:
        raise WalletError("a pot has a code")
    need_fit(Account, code=code)
    account, _ = Account.objects.get_or_create(
        kind=Account.Kind.POT, code=code, defaults={"balance_credits": 0}
    )
    return account


def house(name: House) -> Account:
    """One of the house's accounts."""
    need_transaction()
    account, _ = Account.objects.get_or_create(kind=Account.Kind.HOUSE, code=name.value)
    return account
