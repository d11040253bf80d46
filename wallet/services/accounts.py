"""Finding accounts, and opening them when they are first needed."""

from wallet.models import Account
from wallet.money import House
from wallet.services.locking import need_transaction


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
    account, _ = Account.objects.get_or_create(
        kind=Account.Kind.POT, code=code, defaults={"balance_credits": 0}
    )
    return account


def house(name: House) -> Account:
    """One of the house's accounts."""
    need_transaction()
    account, _ = Account.objects.get_or_create(kind=Account.Kind.HOUSE, code=name.value)
    return account
