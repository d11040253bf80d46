"""Receivers of the signals of games."""

from typing import Any

from django.dispatch import receiver

from games.models import Match
from games.signals import match_finished
from stats.services import rating


@receiver(match_finished)
def note_for_rating(sender: Any, match_id: int, **_: Any) -> None:
    rating.enter(Match.objects.only("kind", "outcome", "finished_at").get(pk=match_id))
