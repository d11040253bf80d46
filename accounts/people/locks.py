"""The lock of members, taken before rows about them are counted or written."""

from accounts.models import User


def lock_people(*user_ids: int) -> bool:
    """Lock the members' rows by ascending id; return whether none of them is closed or banned.

    Call it in a transaction, before any row about the members is locked. Closing and banning an
    account lock in the same order.
    """
    rows = User.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=user_ids)
    found = list(rows.order_by("pk").values_list("is_active", "closed_at"))
    return all(is_active and closed_at is None for is_active, closed_at in found)
