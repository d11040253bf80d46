from shop.models.good import Good
from shop.models.last_gift import LastGift
from shop.models.ledger_count import LedgerCount
from shop.models.owned_good import OwnedGood

__all__ = ["Good", "LastGift", "LedgerCount", "OwnedGood"]
