"""Queries for the pages of top-ups."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from accounts.models import User
from accounts.second_factor.selectors import is_missing
from shop.models import Currency, Pack, PackPrice, Payment, PaymentEvent
from shop.payments import debts, limits, providers
from shop.payments.currencies import currency_of, money_text

MOST_PAYMENTS = 200  # on a member's page of payments


@dataclass(frozen=True, slots=True)
class OfferedPack:
    """A pack with its price in a currency; `debt_credits` of its credits pay the member's debt."""

    pack: Pack
    price: PackPrice
    debt_credits: int

    @property
    def code(self) -> str:
        """Return the value of the pack's button: the pack, its credits and its price as shown."""
        return f"{self.pack.pk}-{self.pack.credits}-{self.price.amount}"

    @property
    def price_text(self) -> str:
        return money_text(self.price.amount, self.price.currency)

    @property
    def own_credits(self) -> int:
        return self.pack.credits - self.debt_credits


@dataclass(frozen=True, slots=True)
class Offer:
    """The packs in the chosen currency, and all currencies in which packs are on sale.

    `is_email_missing`: the member has to add an email before they can pay in this currency.
    """

    packs: list[OfferedPack]
    currency: Currency
    currencies: list[Currency]
    debt_credits: int
    is_email_missing: bool


def offer_for(user: User, wanted: str) -> Offer | None:
    """Return the packs in the first currency in which any are on sale.

    The order of the currencies: the wanted one, that of the member's country, USD, any other. None
    if there is no provider, or no pack with a price in a currency that a provider takes.
    """
    sold = _packs(providers.currencies())
    on_sale = {price.currency for pack in sold for price in pack.prices.all()}
    offered = [currency for currency in Currency if currency in on_sale]
    if not offered:
        return None
    own = currency_of(str(user.profile.country))
    chosen = next((each for each in (wanted, own, Currency.USD) if each in offered), offered[0])
    debt, is_email_missing = debts.owed_by(user.pk), limits.is_email_missing(user, chosen)
    packs = _in_currency(sold, chosen, debt)
    return Offer(packs, Currency(chosen), offered, debt, is_email_missing)


def is_on_sale() -> bool:
    """Return whether a pack can be bought; one query."""
    prices = PackPrice.objects.filter(pack__is_active=True, currency__in=providers.currencies())
    return prices.exists()


def _packs(currencies: Iterable[str]) -> list[Pack]:
    prices = PackPrice.objects.filter(currency__in=list(currencies))
    packs = Pack.objects.filter(is_active=True)
    return list(packs.prefetch_related(Prefetch("prices", queryset=prices)))


def _in_currency(packs: list[Pack], currency: str, debt: int) -> list[OfferedPack]:
    return [
        OfferedPack(pack, price, min(debt, pack.credits))
        for pack in packs
        for price in pack.prices.all()
        if price.currency == currency
    ]


def payments_of(user_id: int) -> QuerySet[Payment]:
    """Return the member's newest payments, without those that have not begun at a provider.

    If the provider never answered, the payment expires without a reference: the member has seen no
    page on which to pay.
    """
    rows = Payment.objects.filter(user_id=user_id).exclude(state=Payment.State.CREATED)
    rows = rows.exclude(state=Payment.State.EXPIRED, reference="")
    return rows.order_by("-pk")[:MOST_PAYMENTS]


def has_open_payment(user_id: int) -> bool:
    """Return whether a checkout waits at a provider; `Payment.is_open` also counts CREATED."""
    return Payment.objects.filter(user_id=user_id, state=Payment.State.PENDING).exists()


def has_mismatch(payment: Payment) -> bool:
    """Return whether another amount than the price was paid, for which no credits were given."""
    return payment.events.filter(outcome=PaymentEvent.Outcome.MISMATCH).exists()


def find_payment(public_id: str, user: User) -> Payment | None:
    """Return the payment if it is the user's own or the user is staff who may see all payments."""
    payment = Payment.objects.select_related("user").filter(public_id=public_id).first()
    if payment is None:
        return None
    may_see_all = user.is_staff and user.has_perm("shop.view_payment") and not is_missing(user)
    return payment if may_see_all or payment.user_id == user.pk else None
