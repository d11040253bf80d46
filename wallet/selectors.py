"""Reads of the ledger."""

from dataclasses import dataclass

from wallet.models import Account


@dataclass(frozen=True, slots=True)
class Funds:
    """What a user has, in credits. `available` can be spent, `reserved` waits in open holds."""

    available: int
    reserved: int

    @property
    def total(self) -> int:
        return self.available + self.reserved


def funds_of(user_id: int) -> Funds:
    """A user's funds; nothing before his account is first needed."""
    account = Account.objects.filter(user_id=user_id).first()
    if account is None:
        return Funds(0, 0)
    return Funds(account.available_credits, account.held_credits)
