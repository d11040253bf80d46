"""What the wallet does when others announce something."""

from typing import Any

from django.dispatch import receiver
from django.utils import timezone

from accounts.signals import member_activated
from wallet.services import welcome


@receiver(member_activated)
def give_welcome_credits(sender: Any, user_id: int, **_: Any) -> None:
    welcome.give(user_id, timezone.now())
