"""The requests to support in a member's data export."""

from typing import Any

from accounts.models import User
from chat.models import Ticket
from chat.support.selectors import belonging_to

_SENT = (
    "created_at", "topic", "state", "language", "email", "room", "page", "version", "device", "zone"
)  # fmt: skip


def of(user_id: int) -> list[dict[str, Any]]:
    """Return the requests, oldest first, with all messages; staff are not named."""
    own = Ticket.objects.filter(belonging_to(User.objects.get(pk=user_id))).order_by("created_at")
    return [
        {
            **{name: getattr(ticket, name) for name in _SENT},
            "messages": [
                {
                    "at": message.created_at,
                    "by": "support" if message.staff_id else "me",
                    "text": message.text,
                }
                for message in ticket.messages.all()
            ],
        }
        for ticket in own.prefetch_related("messages")
    ]
