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


def funds_in(account: Account | None) -> Funds:
    """A user's account has these funds; one that is not there yet, none."""
    if account is None:
        return Funds(0, 0)
    return Funds(account.available_credits, account.held_credits)


def account_of(user_id: int) -> Account | None:
    """The user's account; none before it is first needed."""
    return Account.objects.filter(user_id=user_id).first()


def funds_of(user_id: int) -> Funds:
    return funds_in(account_of(user_id))
