"""What the lobby does when others announce something: one row of its own."""

from typing import Any

from django.dispatch import receiver

from games.models import Match
from games.signals import match_finished
from lobby.services import strikes


@receiver(match_finished)
def note_strikes(sender: Any, match_id: int, **_: Any) -> None:
    strikes.note(Match.objects.get(pk=match_id))
