"""Reads of chats."""

from django.db.models import Q, QuerySet

from accounts.models import Block, User
from chat.models import Message, Mute

LENGTH = 50


def recent(room: str, reader: User | None) -> list[Message]:
    """The last messages of a room that the reader wants to read, the oldest first."""
    messages = Message.objects.filter(room=room, hidden_at__isnull=True).select_related("author")
    return list(reversed(_wanted(messages, reader).order_by("-id")[:LENGTH]))


def unheard(reader_id: int) -> set[int]:
    """The users whom the reader has muted or blocked."""
    muted = Mute.objects.filter(owner_id=reader_id).values_list("muted_id", flat=True)
    blocked = Block.objects.filter(owner_id=reader_id).values_list("blocked_id", flat=True)
    return {*muted, *blocked}


def _wanted(messages: QuerySet[Message], reader: User | None) -> QuerySet[Message]:
    if reader is None:
        return messages
    muted = Mute.objects.filter(owner=reader).values("muted")
    blocked = Block.objects.filter(owner=reader).values("blocked")
    return messages.exclude(Q(author__in=muted) | Q(author__in=blocked))
