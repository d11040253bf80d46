"""What amounts are: whole credits. And what can go wrong with them."""

from enum import StrEnum

# More than all credits there will ever be: what is larger is a mistake, not an amount.
MOST_CREDITS = 10**12


class House(StrEnum):
    """The house's own accounts: where credits come from and go to. The sum over all is zero."""

    RAKE = "rake"
    GIFTS = "gifts"
    PURCHASES = "purchases"
    CLEARING = "clearing"
    CORRECTION = "correction"


class WalletError(Exception):
    """Something that the wallet does not do. Nothing has changed."""


class InsufficientFunds(WalletError):
    """An account has less than it would take; `shortfall` credits are missing."""

    def __init__(self, account_id: int, needed: int, available: int) -> None:
        super().__init__(f"account {account_id} has {available} credits available, not {needed}")
        self.account_id = account_id
        self.needed = needed
        self.available = available

    @property
    def shortfall(self) -> int:
        return self.needed - self.available


class WrongAmount(WalletError):
    """Credits that are no whole number from 1 to MOST_CREDITS, or that do not balance."""


class KeyReused(WalletError):
    """An idempotency key that stands for something else already."""


class HoldResolved(WalletError):
    """The hold was captured, or released, before: it cannot become the other."""


class NotInTransaction(WalletError):
    """A service was called outside a transaction: half of the caller's work could remain."""


def check_credits(credits: int) -> None:
    """Raises WrongAmount unless these are credits: a fraction would be cut off in silence."""
    if type(credits) is not int or not 1 <= credits <= MOST_CREDITS:
        raise WrongAmount(f"{credits!r} is no amount of credits")
