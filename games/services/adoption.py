"""What somebody played as a guest becomes his when he is a member."""

from uuid import UUID

from accounts.models import User
from accounts.shared.transactions import writing
from games.models import Match, Seat


def adopt(guest: UUID, user_id: int) -> int:
    """Give a guest's seats to a member; returns how many. A guest belongs to one member, once.

    Nothing in a log names a guest, so matches that run go on: whoever comes back signed in, sits.
    """
    with writing():
        if _is_another(guest, user_id):
            return 0
        # A match is locked before its seats, and all in one order.
        theirs = Match.objects.filter(seats__guest=guest).order_by("pk")
        matches = list(theirs.select_for_update(no_key=True, of=("self",)))
        seats = Seat.objects.filter(match__in=matches, guest=guest)
        return seats.update(user_id=user_id, guest=None)


def _is_another(guest: UUID, user_id: int) -> bool:
    """Whether the guest became somebody else before: two who signed up in one browser."""
    members = User.objects.filter(guest=guest, activated_at__isnull=False)
    first = members.order_by("activated_at", "pk").values_list("pk", flat=True).first()
    return first is not None and first != user_id
