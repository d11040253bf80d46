"""The ledger. Only wallet.services writes it."""

from wallet.models.account import Account
from wallet.models.hold import Hold
from wallet.models.transfer import Entry, Transfer
from wallet.models.welcome_gift import WelcomeGift

__all__ = ["Account", "Entry", "Hold", "Transfer", "WelcomeGift"]
