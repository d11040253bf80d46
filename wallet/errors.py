"""The errors of the wallet."""

from accounts.shared.refusals import Refused


class WalletError(Exception):
    """The wallet refuses; nothing has changed."""


class InsufficientFunds(WalletError):
    """An account has too few credits; `shortfall` is how many are missing."""

    def __init__(self, account_id: int, needed: int, available: int) -> None:
        super().__init__(f"account {account_id} has {available} credits available, not {needed}")
        self.account_id = account_id
        self.needed = needed
        self.available = available

    @property
    def shortfall(self) -> int:
        return self.needed - self.available


class WrongAmount(WalletError):
    """An amount is not an integer from 1 to MAX_CREDITS, or the amounts do not balance."""


class KeyReused(WalletError):
    """The idempotency key belongs to another event."""


class HoldResolved(WalletError):
    """The hold was captured or released before and cannot change again."""


class Vetoed(WalletError):
    """Staff may not make this change; `reason` says why, for example that a match runs."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Frozen(Refused):
    """Credits are frozen: the request is refused until staff lift the freeze."""

    def __init__(self) -> None:
        super().__init__("credits_frozen")


class NotInTransaction(WalletError):
    """A service was called outside a transaction, where a failure could leave half the work."""
