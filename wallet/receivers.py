"""Receivers of the account signals."""

from datetime import datetime
from typing import Any

from django.dispatch import receiver
from django.utils.translation import gettext_lazy as _

from accounts.members import identities
from accounts.shared.refusals import Refused
from accounts.signals import (
    identities_proved,
    member_activated,
    member_closing,
    member_closing_asked,
)
from wallet.limits import exclusions
from wallet.limits import services as limits
from wallet.selectors import funds_of
from wallet.services import accounts, welcome


@receiver(member_activated)
def give_welcome_credits(sender: Any, user_id: int, now: datetime, **more: Any) -> None:
    """Give welcome credits, unless an earlier account has one of this account's identities."""
    if identities.remember(user_id, now):
        welcome.give(user_id, now)
    else:
        accounts.of_user(user_id)  # opened now, so that later writers find it


@receiver([member_closing, member_closing_asked])
def refuse_closing_while_credits_are_reserved(sender: Any, user_id: int, **more: Any) -> None:
    """Refuse to close a member's account with open holds: released credits would have no owner."""
    if funds_of(user_id).reserved:
        raise Refused(
            "reserved",
            why=_(
                "Some of your credits are reserved for a game that is waiting for an opponent, or "
                "for a tournament. Cancel the game or withdraw from the tournament first."
            ),
        )


@receiver(identities_proved)
def exclude_the_person_again(sender: Any, user_id: int, now: datetime, **more: Any) -> None:
    exclusions.carry_over(user_id, now)


@receiver(member_closing)
def forget_own_limits(sender: Any, user_id: int, **more: Any) -> None:
    limits.forget(user_id)
