"""Receivers of the signals of accounts and chat."""

from typing import Any

from django.dispatch import receiver

from accounts.signals import member_closing
from chat.direct import services as direct
from chat.services import messages
from chat.signals import message_hidden
from chat.support import services as support


@receiver(member_closing)
def forget_closing_member(sender: Any, user_id: int, **more: Any) -> None:
    direct.forget(user_id)
    messages.forget_mutes(user_id)
    support.forget_of(user_id)


@receiver(message_hidden)
def refresh_conversation(sender: Any, message_id: int, **more: Any) -> None:
    direct.refresh_hidden(message_id)
