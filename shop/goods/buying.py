"""Buy a board or a set of checkers with credits; a member owns each of them once."""

from datetime import datetime

from accounts.models import User
from accounts.profile import looks
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from shop.models import Good, OwnedGood
from wallet.errors import InsufficientFunds
from wallet.limits import checks
from wallet.money import House
from wallet.services import accounts, transfers

CAUSE = "purchase"  # of the ledger


def buy(user: User, good: Good, agreed_credits: int, now: datetime) -> OwnedGood:
    """Take the price from the member and make the good theirs.

    `agreed_credits` is the price that the member saw. A member who buys twice, also in two tabs at
    once, is refused the second time. Raises Refused: `not_member`, `not_on_sale`, `good_owned`,
    `price_changed` with `price`, `insufficient_funds` with `shortfall`, `credits_frozen`, or
    OwnLimit. A refused purchase changes nothing.
    """
    need_allowed(user, good, now)
    with write_transaction():
        looks.lock_worn(user.pk)  # one purchase or refund of a member at a time
        earlier = OwnedGood.objects.filter(user=user, good=good)
        if earlier.filter(refunded_at__isnull=True).exists():
            raise Refused("good_owned")
        price = Good.objects.values_list("price_credits", flat=True).get(pk=good.pk)
        if price != agreed_credits:
            raise Refused("price_changed", price=price)
        checks.need_purchase_allowed(user, price, now)
        key = f"{CAUSE}:{user.pk}:{good.kind}:{good.code}:{earlier.count()}"
        paid = _pay(user, good, price, key, now)
        return OwnedGood.objects.create(
            user=user, good=good, bought_at=now, price_credits=price, transfer=paid
        )


def need_allowed(user: User, good: Good, now: datetime) -> None:
    """Raise Refused unless the member may buy this good, whatever its price."""
    if not user.is_member:
        raise Refused("not_member")
    if not good.is_on_sale(now):
        raise Refused("not_on_sale")


def _pay(user: User, good: Good, price: int, key: str, now: datetime) -> transfers.Transfer:
    house, account = accounts.house(House.GOODS), accounts.of_user(user.pk)
    cause = transfers.Cause(CAUSE, reference=f"{good.kind}/{good.code}")
    try:
        return transfers.post(key, cause, {account.id: -price, house.id: price}, now)
    except InsufficientFunds as error:
        raise Refused("insufficient_funds", shortfall=error.shortfall) from error
