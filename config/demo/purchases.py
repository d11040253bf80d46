"""Purchases of a demonstration: top-ups, and a board."""

from datetime import datetime, timedelta
from uuid import uuid4

from django.urls import reverse

from accounts.models import User
from accounts.shared.transactions import write_transaction
from config.demo.people import STAFF_LOGIN, People
from shop.goods import buying
from shop.models import Good, PackPrice, Payment, SandboxCheckout
from shop.payments import checkout, facts, providers, refunds
from shop.payments.providers import sandbox
from shop.payments.providers.port import Event

HOUR = timedelta(hours=1)
State = SandboxCheckout.State
# Buyer, currency, age in days, and the answer of the sandbox provider.
ORDERS = (
    ("annika", "EUR", 8, State.PAID),
    ("annika", "EUR", 3, State.DECLINED),
    ("boris", "RUB", 5, State.PAID),
    ("deniz", "TRY", 0, State.OPEN),
    ("elena", "EUR", 4, State.REFUNDED),
)


def make(people: People, now: datetime) -> str:
    """Order packs and buy a board, unless these people have ordered; return the line to print."""
    gateway = providers.find("sandbox")
    has_ordered = Payment.objects.filter(user__in=people.values()).exists()
    if has_ordered or not isinstance(gateway, sandbox.Gateway):
        return ""
    with write_transaction():
        for login, currency, days, state in ORDERS:
            at = now - timedelta(days=days)
            _order(people[login], currency, state, people[STAFF_LOGIN].pk, at)
        _buy_board(people["annika"], now - timedelta(days=7))
    return "Orders at the pretend bank, and a board"


def _order(
    user: User, currency: str, state: SandboxCheckout.State, staff_id: int, now: datetime
) -> None:
    price = (
        PackPrice.objects.filter(currency=currency)
        .select_related("pack")
        .order_by("pack__position")
        .first()
    )
    if price is None:
        return
    purchase = checkout.Purchase(price.pack_id, price.pack.credits, price.amount, currency, uuid4())
    payment = checkout.begin(user, purchase, _addresses(), now)
    opened = SandboxCheckout.objects.get(payment_id=payment.public_id)
    if state == State.REFUNDED:
        _tell(payment, opened, State.PAID, now)
        now += HOUR
        refunds.ask(payment, staff_id, "The member asked for it", now)
    if state != State.OPEN:
        _tell(payment, opened, state, now)


def _tell(
    payment: Payment, opened: SandboxCheckout, state: SandboxCheckout.State, now: datetime
) -> None:
    """Put the checkout into this state, and apply the provider's message about the payment."""
    SandboxCheckout.objects.filter(pk=opened.pk).update(state=state)
    opened.state = state
    told = Event(f"demo-{payment.public_id}-{state}", "told", sandbox.facts_of(opened, now))
    facts.receive(payment.provider, told, now)


def _addresses() -> checkout.Addresses:
    page = reverse("shop:payment", args=["ID"]).replace("ID", "{}")
    return checkout.Addresses(returning=page, canceled=page, title="Credits", language="en")


def _buy_board(user: User, now: datetime) -> None:
    on_sale = Good.objects.filter(kind="board").order_by("price_credits", "pk")
    good = next((each for each in on_sale if each.is_on_sale(now)), None)
    if good is not None:
        buying.buy(user, good, good.price_credits, now)
