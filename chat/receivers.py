"""Receivers of the account signals."""

from typing import Any

from django.dispatch import receiver

from accounts.signals import member_closing
from chat.direct import services as direct
from chat.services import messages
from chat.support import services as support


@receiver(member_closing)
def forget_closing_member(sender: Any, user_id: int, **more: Any) -> None:
    direct.forget(user_id)
    messages.forget_mutes(user_id)
    support.forget_of(user_id)
