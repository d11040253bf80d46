"""Packs, payments and messages of providers for tests."""

from datetime import UTC, datetime
from uuid import uuid4

from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.shared.transactions import write_transaction
from shop.models import Pack, PackPrice, Payment
from shop.payments import checkout, facts, providers
from shop.payments.providers import sandbox
from shop.payments.providers.port import Event, Facts
from wallet.models import Transfer
from wallet.money import House
from wallet.selectors import funds_of
from wallet.services import accounts, transfers
from wallet.services.transfers import Cause

NOW = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)
WEBHOOK = "/shop/webhooks/sandbox/"
ADDRESSES = checkout.Addresses(
    returning="https://site.test/{}/back/",
    canceled="https://site.test/{}/",
    title="Credits",
    language="en",
)


def pack(credits: int = 1000, **amounts: int) -> Pack:
    """Return a pack on sale; `amounts` are hundredths by currency, 499.00 rubles by default."""
    made = Pack.objects.create(credits=credits, position=credits % 30_000)  # fits a smallint
    for currency, amount in (amounts or {"RUB": 49_900}).items():
        PackPrice.objects.create(pack=made, currency=currency, amount=amount)
    return made


def purchase(of: Pack, currency: str = "RUB", back: str = "") -> checkout.Purchase:
    amount = of.prices.get(currency=currency).amount
    return checkout.Purchase(of.pk, of.credits, amount, currency, uuid4(), back)


def begun(user: User, credits: int = 1000, now: datetime = NOW, back: str = "") -> Payment:
    """Return a payment whose checkout is open at the sandbox."""
    return checkout.begin(user, purchase(pack(credits), back=back), ADDRESSES, now)


def paid_facts(payment: Payment, **more: object) -> Facts:
    known = {"amount": payment.amount, "currency": payment.currency, "is_paid": True}
    return Facts(payment.public_id, payment.reference, **(known | more))  # type: ignore[arg-type]


def told(payment: Payment, found: Facts, event_id: str = "", now: datetime = NOW) -> bool:
    """Apply a message about the payment and refresh its row; return whether the message is new."""
    event = Event(event_id or f"event-{uuid4()}", "told", found)
    is_new = facts.receive(payment.provider, event, now)
    payment.refresh_from_db()
    return is_new


def paid(user: User, credits: int = 1000, now: datetime = NOW) -> Payment:
    payment = begun(user, credits, now)
    told(payment, paid_facts(payment), now=now)
    return payment


def refunded(payment: Payment, amount: int | None = None) -> Facts:
    return Facts(payment.public_id, refunded=payment.amount if amount is None else amount)


def failed_refund(payment: Payment, amount: int | None = None) -> Facts:
    """Return the facts of a refund that was made and failed later."""
    given = payment.amount if amount is None else amount
    return Facts(payment.public_id, refunded=given, failed_refunds=given)


def disputed(payment: Payment, how: str) -> Facts:
    return Facts(payment.public_id, dispute=how)


def bank() -> sandbox.Gateway:
    found = providers.find("sandbox")
    assert isinstance(found, sandbox.Gateway)
    return found


def post(body: bytes, signature: str, url: str = WEBHOOK) -> int:
    """Send a webhook as a provider does: from outside, with no cookie and no token."""
    headers = {sandbox.SIGNATURE: signature}
    client = Client(enforce_csrf_checks=True, headers=headers)
    return client.post(url, body, content_type="application/json").status_code


def page_of(payment: Payment) -> str:
    return reverse("shop:payment", args=[payment.public_id])


def available(user: User) -> int:
    return funds_of(user.pk).available


def spend(user: User, credits: int) -> None:
    """Move credits from the member to the house, as if they had been spent."""
    with write_transaction():
        account, rake = accounts.of_user(user.pk), accounts.house(House.RAKE)
        amounts = {account.pk: -credits, rake.pk: credits}
        transfers.post(f"spent:{user.pk}:{available(user)}", Cause("spent"), amounts, NOW)


def count_top_ups() -> int:
    return Transfer.objects.filter(cause="top_up").count()
