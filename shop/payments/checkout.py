"""Begin a payment: a row, a checkout at the provider, and the address at which to pay."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid5

from accounts.models import User
from accounts.shared import deadlines
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from shop.models import PackPrice, Payment
from shop.payments import facts, limits, providers
from shop.payments.providers.port import Order, Rejected, Unavailable
from wallet.limits import checks

# Time for which a checkout is open. Stripe allows 30 minutes to 24 hours.
OPEN_FOR = timedelta(hours=1)
# Wait before the worker first asks the provider: most payments are reported by then.
FIRST_CHECK = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class Purchase:
    """A member's choice: a pack, with the credits and the price (`amount`) that they saw.

    `form_key` differs for each form shown.
    """

    pack_id: int
    credits: int
    amount: int
    currency: str
    form_key: UUID
    back: str = ""

    @property
    def key(self) -> UUID:
        """Return the idempotency key: a form is one payment for each pack that is chosen in it."""
        return uuid5(self.form_key, f"{self.pack_id}:{self.credits}:{self.amount}:{self.currency}")


@dataclass(frozen=True, slots=True)
class Addresses:
    """The pages to which the provider sends the member back; title and language of the checkout.

    Both addresses are absolute, with "{}" for the payment's id.
    """

    returning: str
    canceled: str
    title: str
    language: str


def begin(user: User, purchase: Purchase, addresses: Addresses, now: datetime) -> Payment:
    """Begin a payment; the member pays at its `checkout_url`. Idempotent by the purchase's `key`.

    Raises Refused: the codes of `limits`, `pack_gone` (also if credits or price have changed),
    `email_missing`, or `provider_failed`. After `provider_failed` the member may try again with a
    new form.
    """
    price = _price(purchase)
    limits.need_top_up_open(user)
    if limits.is_email_missing(user, price.currency):
        raise Refused("email_missing")
    payment = _create(user, price, purchase, now)
    if payment.state != Payment.State.CREATED:
        return payment
    provider = providers.find(payment.provider)
    if provider is None:
        raise Refused("provider_failed")
    try:
        started = provider.start(_order(payment, user.email, addresses))
    except (Unavailable, Rejected) as error:
        facts.logger.warning("payment %s not started: %r", payment.public_id, error)
        raise Refused("provider_failed") from error
    return _store_checkout(payment.public_id, started.reference, started.url)


def _price(purchase: Purchase) -> PackPrice:
    rows = PackPrice.objects.select_related("pack").filter(
        pack_id=purchase.pack_id,
        pack__is_active=True,
        pack__credits=purchase.credits,
        currency=purchase.currency,
        amount=purchase.amount,
    )
    price = rows.first()
    if price is None or price.currency not in providers.currencies():
        raise Refused("pack_gone")
    return price


def _create(user: User, price: PackPrice, purchase: Purchase, now: datetime) -> Payment:
    with write_transaction():
        checks.lock_account(user)
        earlier = Payment.objects.filter(user=user, form_key=purchase.key).first()
        if earlier is None or earlier.is_open:
            limits.need_within_limits(user, price.pack.credits, now, earlier)
        if earlier is not None:
            return earlier
        payment = Payment.objects.create(
            user=user,
            form_key=purchase.key,
            pack=price.pack,
            credits=price.pack.credits,
            currency=price.currency,
            amount=price.amount,
            provider=providers.currencies()[price.currency],
            back=purchase.back,
            created_at=now,
            expires_at=now + OPEN_FOR,
            check_at=now + FIRST_CHECK,
        )
        deadlines.note(facts.TOP_UPS, payment.check_at)
        return payment


def _order(payment: Payment, email: str, addresses: Addresses) -> Order:
    return Order(
        public_id=payment.public_id,
        credits=payment.credits,
        amount=payment.amount,
        currency=payment.currency,
        title=addresses.title,
        language=addresses.language,
        email=email,
        return_url=addresses.returning.format(payment.public_id),
        cancel_url=addresses.canceled.format(payment.public_id),
        expires_at=payment.expires_at,
    )


def _store_checkout(public_id: str, reference: str, url: str) -> Payment:
    """Store the checkout; keep a state that a webhook has already set."""
    with write_transaction():
        payment = facts.lock(public_id)
        assert payment is not None
        payment.reference = payment.reference or reference
        if payment.state == Payment.State.CREATED:
            payment.state = Payment.State.PENDING
            payment.checkout_url = url
        payment.save(update_fields=["reference", "state", "checkout_url"])
        return payment
