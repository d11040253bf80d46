"""Activate, ban and unban accounts."""

from datetime import datetime

from accounts.models import User
from accounts.sessions import services as sessions
from accounts.shared.transactions import write_transaction
from accounts.signals import member_activated, member_banned, member_banning


def activate(user_id: int, now: datetime) -> bool:
    """Make an account a member's. Return False if it is activated already or closed."""
    with write_transaction():
        waiting = User.objects.filter(pk=user_id, activated_at__isnull=True, closed_at__isnull=True)
        if not waiting.update(activated_at=now):
            return False
        member_activated.send(sender=User, user_id=user_id, now=now)
        return True


def ban(user_id: int) -> bool:
    """Shut a user out on every device. Return False if they are banned or closed already."""
    with write_transaction():
        if not User.objects.filter(pk=user_id, is_active=True).update(is_active=False):
            return False
        sessions.end_all(user_id)
        for signal in (member_banning, member_banned):
            signal.send(sender=User, user_id=user_id)
        return True


def unban(user_id: int) -> bool:
    """Let a user in again. Return False if they have closed their account or were not banned."""
    with write_transaction():
        banned = User.objects.filter(pk=user_id, is_active=False, closed_at__isnull=True)
        return bool(banned.update(is_active=True))
