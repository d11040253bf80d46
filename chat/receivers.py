"""Receivers of the account signals."""

from typing import Any

from django.dispatch import receiver

from accounts.signals import member_closing
from chat.direct import services


@receiver(member_closing)
def forget_conversations(sender: Any, user_id: int, **more: Any) -> None:
    services.forget(user_id)
