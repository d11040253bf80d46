"""Receivers of the signals of the apps below."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.dispatch import receiver
from django.utils import timezone

from accounts.shared.transactions import write_transaction
from accounts.signals import member_banned, member_closing
from games.models import Match
from games.signals import match_agreed, match_finished
from lobby import broadcast
from lobby.models import AcceptedTerms, Preset
from lobby.services import ending


@receiver(match_finished)
def refresh_lists(sender: Any, match_id: int, **_: Any) -> None:
    if Match.objects.get(pk=match_id).policy.is_watchable:
        broadcast.lists_changed()


@receiver(match_agreed)
def withdraw_announcements(sender: Any, user_ids: Collection[int], now: datetime, **_: Any) -> None:
    """Withdraw the players' announcements and release their stakes, in the match's transaction."""
    ending.withdraw(user_ids, now)


@receiver(member_banned)
def withdraw_banned(sender: Any, user_id: int, **_: Any) -> None:
    """Withdraw the announcement of a banned member, who could not come to the match."""
    with write_transaction():
        ending.withdraw([user_id], timezone.now())


@receiver(member_closing)
def forget_choices(sender: Any, user_id: int, **_: Any) -> None:
    """Erase what only serves a member's next games."""
    AcceptedTerms.objects.filter(user_id=user_id).delete()
    Preset.objects.filter(owner_id=user_id).delete()
