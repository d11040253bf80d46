"""Reads of chats."""

from django.db.models import Q, QuerySet

from accounts.models import Block, User
from chat.models import Message, Mute

LENGTH = 50


def recent(room: str, reader: User | None) -> list[Message]:
    """The last messages of a room that the reader wants to read, the oldest first."""
    messages = Message.objects.filter(room=room, hidden_at__isnull=True).select_related("author")
    return list(reversed(_wanted(messages, reader).order_by("-id")[:LENGTH]))


def does_not_hear(reader_id: int, author_id: int) -> bool:
    """Whether the reader has muted or blocked the author."""
    return (
        Mute.objects.filter(owner_id=reader_id, muted_id=author_id).exists()
        or Block.objects.filter(owner_id=reader_id, blocked_id=author_id).exists()
    )


def _wanted(messages: QuerySet[Message], reader: User | None) -> QuerySet[Message]:
    if reader is None:
        return messages
    muted = Mute.objects.filter(owner=reader).values("muted")
    blocked = Block.objects.filter(owner=reader).values("blocked")
    return messages.exclude(Q(author__in=muted) | Q(author__in=blocked))
