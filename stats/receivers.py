"""Receivers of the signals of games."""

from typing import Any

from django.dispatch import receiver

from games.models import Match
from games.signals import match_finished, seats_adopted
from stats.services import counting, rating


@receiver(match_finished)
def note_for_rating(sender: Any, match_id: int, **_: Any) -> None:
    rating.enter(Match.objects.only("kind", "outcome", "finished_at").get(pk=match_id))


@receiver(match_finished)
def note_for_counts(sender: Any, match_id: int, **_: Any) -> None:
    counting.enter([match_id])


@receiver(seats_adopted)
def note_adopted_for_counts(sender: Any, match_ids: list[int], **_: Any) -> None:
    counting.enter(match_ids)
