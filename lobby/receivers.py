"""What the lobby does when others announce something: one row of its own."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.dispatch import receiver

from games.models import Match
from games.services.refusals import Refused
from games.signals import match_agreed, match_finished
from lobby import broadcast
from lobby.selectors import pause_of
from lobby.services import seeks, strikes


@receiver(match_finished)
def note_strikes(sender: Any, match_id: int, **_: Any) -> None:
    match = Match.objects.get(pk=match_id)
    strikes.note(match)
    if match.kind == Match.Kind.STAKE:
        transaction.on_commit(broadcast.seeks_changed)


@receiver(match_agreed)
def make_way(sender: Any, user_ids: list[int], now: datetime, **_: Any) -> None:
    """Two agreed on a rematch: who is kept from games is kept from this one; the rest gives way."""
    if any(pause_of(user_id, now) for user_id in user_ids):
        raise Refused("unavailable")
    seeks.withdraw(user_ids, now)
