from shop.models.last_gift import LastGift
from shop.models.ledger_count import LedgerCount

__all__ = ["LastGift", "LedgerCount"]
