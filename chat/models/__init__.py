"""Messages, mutes, complaints, silences, refused words, and members' conversations."""

from chat.models.direct import Conversation, Reach
from chat.models.messages import Message, Mute
from chat.models.moderation import Report, Silence
from chat.models.player_report import PlayerReport
from chat.models.refused_word import RefusedWord

__all__ = [
    "Conversation", "Message", "Mute", "PlayerReport", "Reach", "RefusedWord", "Report", "Silence",
]  # fmt: skip
