"""The chats' part of a member's data export."""

from typing import Any

from django.db.models import F

from chat.direct.selectors import accepts
from chat.models import Conversation, Message, Mute, PlayerReport, Report, Silence
from chat.support import personal_data as support

_SILENCE = ("created_at", "until", "reason", "appealed_at", "appeal", "answered_at", "answer")


def of(user_id: int) -> dict[str, Any]:
    """Return the member's data by section; phrases and emoji are given by their codes."""
    messages = Message.objects.filter(author_id=user_id).order_by("id")
    mutes = Mute.objects.filter(owner_id=user_id).order_by("created_at")
    reports = PlayerReport.objects.filter(reporter_id=user_id).order_by("created_at")
    of_messages = Report.objects.filter(reporter_id=user_id).order_by("created_at")
    silences = Silence.objects.filter(user_id=user_id).order_by("created_at")
    return {
        "messages": list(messages.values("created_at", "room", "kind", "body", "hidden_at")),
        "muted": [
            {"name": mute.muted.username, "only_text": mute.only_text}
            for mute in mutes.select_related("muted")
        ],
        "conversations": [
            {
                "with": each.other.username,
                "begun_at": each.created_at,
                "last_at": each.last_at,
                "unread": each.unread,
            }
            for each in Conversation.objects.filter(owner_id=user_id).select_related("other")
        ],
        "accepts_messages_from": accepts(user_id).value,
        "reports_about_players": list(reports.values("created_at", "cause", "text", "room")),
        "reports_about_messages": list(of_messages.values("created_at", room=F("message__room"))),
        "silenced": list(silences.values(*_SILENCE)),
        "support": support.of(user_id),
    }
