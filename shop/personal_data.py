"""The shop's part of a user's data export."""

from typing import Any

from accounts.members import identities
from shop.models import OwnedGood, Payment
from shop.payments import debts
from shop.selectors import gifts_of

_PAYMENT = (
    "public_id",
    "credits",
    "amount",
    "currency",
    "state",
    "provider",
    "reference",
    "created_at",
    "paid_at",
    "refunded_amount",
    "dispute",
    "refund_reason",
)


def of(user_id: int) -> dict[str, Any]:
    """Return gifts, goods, payments and debt; amounts of money in hundredths."""
    rows = gifts_of(identities.digests_of_user(user_id), user_id).order_by("pk")
    owned = OwnedGood.objects.filter(user_id=user_id).order_by("pk")
    fields = ("good__kind", "good__code", "bought_at", "price_credits", "refunded_at")
    payments = Payment.objects.filter(user_id=user_id).order_by("pk")
    return {
        "gifts": list(rows.values("digest", "taken_at", "days")),
        "goods": list(owned.values(*fields)),
        "payments": list(payments.values(*_PAYMENT)),
        "owed_credits": debts.owed_by(user_id),
    }
