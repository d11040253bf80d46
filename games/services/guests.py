"""Guests' matches: given to the member a guest becomes, deleted when unused for long."""

from datetime import datetime
from uuid import UUID

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Max

from accounts.models import User
from accounts.shared.transactions import write_transaction
from games.models import Action, Game, Match, RematchOffer, Review, Seat

# Matches deleted in one transaction.
BATCH = 200


def adopt(guest: UUID, user_id: int) -> int:
    """Give a guest's seats to a member and return how many; a guest becomes one member only.

    No log names a guest, so running matches continue: the player takes the same seat signed in.
    """
    with write_transaction():
        if _is_another(guest, user_id):
            return 0
        # Lock order: matches by ascending id, then their seats.
        of_guest = Match.objects.filter(seats__guest=guest).order_by("pk")
        matches = list(of_guest.select_for_update(no_key=True, of=("self",)))
        seats = Seat.objects.filter(match__in=matches, guest=guest)
        return seats.update(user_id=user_id, guest=None)


def forget_guests(before: datetime) -> int:
    """Delete matches of guests only without an action since `before`; return how many.

    The only place that deletes from a log, and it deletes the whole match. Small transactions
    keep players from waiting for it.
    """
    count = 0
    while batch := _forgettable(before):
        with write_transaction():
            Action.objects.filter(match__in=batch)._raw_delete(DEFAULT_DB_ALIAS)
            Review.objects.filter(match__in=batch).delete()
            RematchOffer.objects.filter(match__in=batch).delete()
            Match.objects.filter(rematch_of__in=batch).update(rematch_of=None)
            Game.objects.filter(match__in=batch).delete()
            Seat.objects.filter(match__in=batch).delete()
            Match.objects.filter(pk__in=batch).delete()
        count += len(batch)
    return count


def _is_another(guest: UUID, user_id: int) -> bool:
    """Return whether the guest became another member first: two who signed up in one browser."""
    members = User.objects.filter(guest=guest, activated_at__isnull=False)
    first = members.order_by("activated_at", "pk").values_list("pk", flat=True).first()
    return first is not None and first != user_id


def _forgettable(before: datetime) -> list[int]:
    guests = Match.objects.filter(seats__guest__isnull=False)
    guests = guests.exclude(seats__user__isnull=False)  # a member's record stays
    untouched = guests.annotate(last_at=Max("actions__created_at")).filter(last_at__lt=before)
    return list(untouched.order_by("pk").values_list("pk", flat=True)[:BATCH])
