"""Messages, mutes, reports, silences, refused words, conversations, requests to support."""

from chat.models.direct import Conversation, Reach
from chat.models.messages import Message, Mute
from chat.models.moderation import Report, Silence
from chat.models.player_report import PlayerReport
from chat.models.refused_word import RefusedWord
from chat.models.support import AnswerPreset, Ticket, TicketMessage

__all__ = [
    "AnswerPreset", "Conversation", "Message", "Mute", "PlayerReport", "Reach", "RefusedWord",
    "Report", "Silence", "Ticket", "TicketMessage",
]  # fmt: skip
