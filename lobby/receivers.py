"""What the lobby does when others announce something: one row of its own."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.dispatch import receiver
from django.utils import timezone
from django.utils.translation import gettext_lazy

from accounts.gate import writing
from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.signals import member_banned, member_closing
from games.models import Match
from games.selectors import has_live_stake
from games.signals import match_agreed, match_finished, match_wanted
from lobby import broadcast
from lobby.selectors import pause_of
from lobby.services import seeks, strikes


@receiver(match_finished)
def note_strikes(sender: Any, match_id: int, **_: Any) -> None:
    match = Match.objects.get(pk=match_id)
    strikes.note(match)
    if match.policy.is_watchable:
        transaction.on_commit(broadcast.seeks_changed)


@receiver(match_wanted)
def keep_while_paused(sender: Any, user_id: int, now: datetime, **_: Any) -> None:
    """Said to whom it concerns, at his offer and not at the other's answer."""
    if pause_of(user_id, now):
        raise Refused("paused")


@receiver(match_agreed)
def make_way(sender: Any, user_ids: list[int], now: datetime, **_: Any) -> None:
    """Two agreed on a rematch: who is kept from games, or barred since, is kept from this one; the
    rest gives way.
    """
    players = User.objects.in_bulk(user_ids).values()
    if any(pause_of(user.pk, now) or not user.is_member for user in players):
        raise Refused("unavailable")
    seeks.withdraw(user_ids, now)


@receiver(member_banned)
def take_back(sender: Any, user_id: int, **_: Any) -> None:
    """Nobody is to join the game of one who cannot come."""
    with writing():
        seeks.withdraw([user_id], timezone.now())


@receiver(member_closing)
def keep_while_playing(sender: Any, user_id: int, **_: Any) -> None:
    """The opponent is to have his match, and the winner his credits."""
    if has_live_stake(user_id):
        raise Refused(
            "playing", why=gettext_lazy("You are in a match for credits. Let it end first.")
        )
