"""What the lobby does when others announce something: one row of its own."""

from typing import Any

from django.db import transaction
from django.dispatch import receiver

from games.models import Match
from games.signals import match_finished
from lobby import broadcast
from lobby.services import strikes


@receiver(match_finished)
def note_strikes(sender: Any, match_id: int, **_: Any) -> None:
    match = Match.objects.get(pk=match_id)
    strikes.note(match)
    if match.kind == Match.Kind.STAKE:
        transaction.on_commit(broadcast.seeks_changed)
