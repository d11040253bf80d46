"""The lock of members, taken before rows about them are counted or written."""

from accounts.models import User


def lock_people(*user_ids: int) -> bool:
    """Lock the members' rows by ascending id, before any row about them, in a transaction.

    Closing and banning an account lock in the same order. Returns False when one of the accounts
    is closed or banned.
    """
    rows = User.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=user_ids)
    found = list(rows.order_by("pk").values_list("is_active", "closed_at"))
    return all(is_active and closed_at is None for is_active, closed_at in found)
