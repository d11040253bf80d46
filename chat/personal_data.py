"""The chats' part of a member's data export."""

from typing import Any

from chat.models import Message, Silence
from chat.selectors import muted_by

_SILENCE = ("created_at", "until", "reason", "appealed_at", "appeal", "answered_at", "answer")


def of(user_id: int) -> dict[str, Any]:
    """Return messages, mutes and silences, oldest first; phrases and emoji by their codes."""
    messages = Message.objects.filter(author_id=user_id).order_by("id")
    silences = Silence.objects.filter(user_id=user_id).order_by("created_at")
    return {
        "messages": list(messages.values("created_at", "room", "kind", "body", "hidden_at")),
        "muted": list(muted_by(user_id).values_list("username", flat=True)),
        "silenced": list(silences.values(*_SILENCE)),
    }
