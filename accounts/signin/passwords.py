"""Change a password, end all sessions and notify the owner."""

from datetime import datetime

from allauth.account.adapter import get_adapter

from accounts.models import User
from accounts.people.locks import lock_unclosed
from accounts.sessions import services as sessions
from accounts.shared.transactions import write_transaction


def renew(user: User, password: str, now: datetime) -> None:
    """Set a checked password, end every session, and notify the owner by email.

    Do nothing for a closed account.
    """
    user.set_password(password)  # slow by design, so before the transaction
    with write_transaction():
        if not lock_unclosed(user.pk):
            return
        user.save(update_fields=["password"])
        sessions.end_all(user.pk)
        context = {"user": user, "timestamp": now}
        get_adapter().send_notification_mail("account/email/password_changed", user, context)
