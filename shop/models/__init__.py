from shop.models.debt import Debt, DebtPart
from shop.models.good import Good
from shop.models.last_gift import LastGift
from shop.models.ledger_count import LedgerCount
from shop.models.owned_good import OwnedGood
from shop.models.pack import Currency, Pack, PackPrice
from shop.models.payment import Payment
from shop.models.payment_event import PaymentEvent
from shop.models.sandbox_checkout import SandboxCheckout

__all__ = [
    "Currency",
    "Debt",
    "DebtPart",
    "Good",
    "LastGift",
    "LedgerCount",
    "OwnedGood",
    "Pack",
    "PackPrice",
    "Payment",
    "PaymentEvent",
    "SandboxCheckout",
]
