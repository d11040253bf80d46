"""Lock of members whose relation changes."""

from accounts.models import User


def lock_people(*user_ids: int) -> None:
    """Lock the members' rows by ascending id, before any row about the two, in a transaction."""
    rows = User.objects.select_for_update(no_key=True, of=("self",)).filter(pk__in=user_ids)
    list(rows.order_by("pk").values_list("pk", flat=True))
