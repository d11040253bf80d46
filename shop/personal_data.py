"""The shop's part of a user's data export."""

from typing import Any

from accounts.members import identities
from shop.models import LastGift, OwnedGood


def of(user_id: int) -> dict[str, Any]:
    rows = LastGift.objects.filter(digest__in=identities.digests_of_user(user_id)).order_by("pk")
    owned = OwnedGood.objects.filter(user_id=user_id).order_by("pk")
    fields = ("good__kind", "good__code", "bought_at", "price_credits", "refunded_at")
    return {
        "gifts": list(rows.values("digest", "taken_at", "days")),
        "goods": list(owned.values(*fields)),
    }
