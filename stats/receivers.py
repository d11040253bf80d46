"""Receivers of the signals of games and accounts."""

from typing import Any

from django.dispatch import receiver

from accounts.signals import member_closing
from games.models import Match
from games.signals import match_finished, match_reviewed, seats_adopted
from stats.services import counting, rating, reviewed, sharing


@receiver(match_finished)
def note_for_rating(sender: Any, match_id: int, **_: Any) -> None:
    rating.enter(Match.objects.only("kind", "outcome", "finished_at").get(pk=match_id))


@receiver(match_finished)
def note_for_counts(sender: Any, match_id: int, **_: Any) -> None:
    counting.enter([match_id])


@receiver(seats_adopted)
def note_adopted_for_counts(sender: Any, match_ids: list[int], **_: Any) -> None:
    counting.enter(match_ids)
    counting.write_again(match_ids)
    reviewed.enter(match_ids)


@receiver(match_reviewed)
def note_for_skill(sender: Any, match_id: int, **_: Any) -> None:
    reviewed.enter([match_id])


@receiver(member_closing)
def end_sharing(sender: Any, user_id: int, **_: Any) -> None:
    sharing.stop_all(user_id)
