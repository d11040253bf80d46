"""The ledger, and who had which gift. Only wallet.services writes them."""

from wallet.models.account import Account
from wallet.models.freeze import Freeze, WaitingPayment
from wallet.models.gift_switch import GiftSwitch
from wallet.models.hold import Hold
from wallet.models.transfer import Entry, Transfer
from wallet.models.welcome_gift import WelcomeGift

__all__ = [
    "Account",
    "Entry",
    "Freeze",
    "GiftSwitch",
    "Hold",
    "Transfer",
    "WaitingPayment",
    "WelcomeGift",
]
