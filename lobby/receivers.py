"""Receivers of the signals of lower apps."""

from collections.abc import Collection
from datetime import datetime
from typing import Any
from uuid import UUID

from django.dispatch import receiver

from accounts.models import User
from accounts.shared.database_clock import CLOCK
from accounts.signals import (
    member_activated,
    member_banned,
    member_banning,
    member_blocked,
    member_closing,
)
from games.models import Match
from games.models.actor import Actor
from games.signals import guest_leaving, match_agreed, match_finished
from lobby import broadcast
from lobby.models import AcceptedTerms, Preset, WishedGame
from lobby.services import ending, inviting, stopping, withdrawing
from wallet.signals import reservations_ending, reservations_locking


@receiver(match_finished)
def refresh_lists(sender: Any, match_id: int, **_: Any) -> None:
    if Match.objects.get(pk=match_id).policy.is_watchable:
        broadcast.lists_changed()


@receiver(match_agreed)
def withdraw_announcements(
    sender: Any, user_ids: Collection[int], guests: Collection[UUID], now: datetime, **_: Any
) -> None:
    """Withdraw the players' announcements and friendly searches, in the match's transaction."""
    stopping.withdraw_guests(guests, now)
    ending.withdraw(user_ids, now)
    stopping.withdraw_friendly(user_ids, now)


@receiver(member_banning)
@receiver(reservations_locking)
def lock_waiting(sender: Any, user_id: int, **_: Any) -> None:
    withdrawing.lock(user_id)


@receiver(member_banned)
def withdraw_banned(sender: Any, user_id: int, **_: Any) -> None:
    """Withdraw a banned member's announcement, search and invitations: they could not play."""
    now = CLOCK.now()
    withdrawing.withdraw(user_id, now)
    inviting.withdraw(Actor(user_id=user_id), now)


@receiver(member_blocked)
def end_challenges_between(
    sender: Any, owner_id: int, blocked_id: int, now: datetime, **_: Any
) -> None:
    """End the challenges between the two: pages hide them now, so nobody could answer them."""
    inviting.end_between(owner_id, blocked_id, now)
    ending.end_between(owner_id, blocked_id, now)


@receiver(reservations_ending)
def withdraw_for_credits(sender: Any, user_id: int, now: datetime, **_: Any) -> None:
    """Withdraw announcements and searches for credits; links and friendly searches go on."""
    withdrawing.withdraw_staked(user_id, now)


@receiver(member_activated)
def withdraw_of_guest(sender: Any, user_id: int, **_: Any) -> None:
    """Withdraw the link and search of a guest who became a member.

    A match that they led to would seat the guest, not the member.
    """
    guest = User.objects.values_list("guest", flat=True).get(pk=user_id)
    if guest is not None:
        _withdraw_waiting(Actor(guest=guest))


@receiver(guest_leaving)
def withdraw_of_leaving_guest(sender: Any, guest: UUID, **_: Any) -> None:
    _withdraw_waiting(Actor(guest=guest))


@receiver(member_closing)
def withdraw_closing(sender: Any, user_id: int, **_: Any) -> None:
    """Withdraw the member's invitations and search; delete rows that only serve later games."""
    _withdraw_waiting(Actor(user_id=user_id))
    AcceptedTerms.objects.filter(user_id=user_id).delete()
    Preset.objects.filter(owner_id=user_id).delete()
    WishedGame.objects.filter(owner_id=user_id).delete()


def _withdraw_waiting(person: Actor) -> None:
    """Withdraw the person's invitations and search, in the caller's transaction."""
    now = CLOCK.now()
    inviting.withdraw(person, now)
    stopping.withdraw(person, now)
