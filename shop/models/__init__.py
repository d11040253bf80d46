from shop.models.last_gift import LastGift

__all__ = ["LastGift"]
