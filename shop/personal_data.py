"""The shop's part of a user's data export."""

from typing import Any

from accounts.members import identities
from shop.models import LastGift


def of(user_id: int) -> dict[str, Any]:
    rows = LastGift.objects.filter(digest__in=identities.digests_of_user(user_id)).order_by("pk")
    return {"gifts": list(rows.values("digest", "taken_at", "days"))}
