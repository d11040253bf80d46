"""The ledger, gifts and members' own limits. Only wallet.services and wallet.limits write them."""

from wallet.models.account import Account
from wallet.models.exclusion import Exclusion, ExclusionDigest
from wallet.models.freeze import Freeze, WaitingPayment
from wallet.models.gift_switch import GiftSwitch
from wallet.models.hold import Hold
from wallet.models.limit import Limit, LimitChange
from wallet.models.play_choices import PlayChoices
from wallet.models.transfer import Entry, Transfer
from wallet.models.welcome_gift import WelcomeGift

__all__ = [
    "Account",
    "Entry",
    "Exclusion",
    "ExclusionDigest",
    "Freeze",
    "GiftSwitch",
    "Hold",
    "Limit",
    "LimitChange",
    "PlayChoices",
    "Transfer",
    "WaitingPayment",
    "WelcomeGift",
]
