"""Guests' matches are kept while their guests can come back, and no longer."""

from datetime import datetime

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Max

from accounts.shared.transactions import writing
from games.models import Action, Game, Match, RematchOffer, Review, Seat

BATCH = 200


def forget_guests(before: datetime) -> int:
    """Delete matches of guests alone in which nothing happened since; returns how many.

    The one place that takes anything out of a log, and it takes the whole match. In small
    transactions: players wait behind none of them.
    """
    count = 0
    while batch := _forgettable(before):
        with writing():
            Action.objects.filter(match__in=batch)._raw_delete(DEFAULT_DB_ALIAS)
            Review.objects.filter(match__in=batch).delete()
            RematchOffer.objects.filter(match__in=batch).delete()
            Match.objects.filter(rematch_of__in=batch).update(rematch_of=None)
            Game.objects.filter(match__in=batch).delete()
            Seat.objects.filter(match__in=batch).delete()
            Match.objects.filter(pk__in=batch).delete()
        count += len(batch)
    return count


def _forgettable(before: datetime) -> list[int]:
    guests = Match.objects.filter(seats__guest__isnull=False)
    guests = guests.exclude(seats__user__isnull=False)  # theirs to keep
    untouched = guests.annotate(last_at=Max("actions__created_at")).filter(last_at__lt=before)
    return list(untouched.order_by("pk").values_list("pk", flat=True)[:BATCH])
