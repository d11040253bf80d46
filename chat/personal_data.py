"""The chats' part of a member's data export."""

from typing import Any

from chat.models import Message, Mute, Silence

_SILENCE = ("created_at", "until", "reason", "appealed_at", "appeal", "answered_at", "answer")


def of(user_id: int) -> dict[str, Any]:
    """Return messages, mutes and silences, oldest first; phrases and emoji by their codes."""
    messages = Message.objects.filter(author_id=user_id).order_by("id")
    mutes = Mute.objects.filter(owner_id=user_id).order_by("created_at")
    silences = Silence.objects.filter(user_id=user_id).order_by("created_at")
    return {
        "messages": list(messages.values("created_at", "room", "kind", "body", "hidden_at")),
        "muted": [
            {"name": mute.muted.username, "only_text": mute.only_text}
            for mute in mutes.select_related("muted")
        ],
        "silenced": list(silences.values(*_SILENCE)),
    }
