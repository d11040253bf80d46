"""Who becomes a member, and who is barred."""

from datetime import datetime

from accounts.gate import writing
from accounts.models import User
from accounts.signals import member_activated


def activate(user_id: int, now: datetime) -> bool:
    """Make an account a member's. False, and nothing changes, if it is one already."""
    with writing():
        waiting = User.objects.filter(
            pk=user_id, activated_at__isnull=True, closed_at__isnull=True, is_active=True
        )
        if not waiting.update(activated_at=now):
            return False
        member_activated.send(sender=User, user_id=user_id)
        return True
