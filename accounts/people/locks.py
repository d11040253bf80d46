"""The lock of members, taken before rows about them are counted or written."""

from collections.abc import Collection
from datetime import datetime

from accounts.models import User


def lock_people(*user_ids: int) -> bool:
    """Lock the members' rows by ascending id; return whether none of them is closed or banned.

    Call it in a transaction, before any row about the members is locked. Closing and banning an
    account lock the member first too.
    """
    return all(is_active and closed_at is None for is_active, closed_at in _lock(user_ids))


def lock_unclosed(*user_ids: int) -> bool:
    """Lock as `lock_people` does; return whether none of them is closed; bans do not count.

    Without this lock, rows that a request stores about a member could remain if the account is
    closed meanwhile.
    """
    return all(closed_at is None for _, closed_at in _lock(user_ids))


def _lock(user_ids: Collection[int]) -> list[tuple[bool, datetime | None]]:
    rows = User.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=user_ids)
    return list(rows.order_by("pk").values_list("is_active", "closed_at"))
