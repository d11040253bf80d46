"""Create goods for tests, since a transactional test deletes those of the data migration."""

from typing import Any

from accounts.models import User
from shop.goods import buying
from shop.models import Good, OwnedGood
from tests.wallet.factories import NOW


def good(kind: str = "board", code: str = "walnut", price: int = 300, **fields: Any) -> Good:
    values = {"price_credits": price, **fields}
    return Good.objects.update_or_create(kind=kind, code=code, defaults=values)[0]


def owned(user: User, kind: str = "board", code: str = "walnut", price: int = 300) -> OwnedGood:
    return buying.buy(user, good(kind, code, price), price, NOW)
