"""Reads of chats."""

from datetime import datetime

from django.db.models import Q, QuerySet

from accounts.models import Block, User
from chat.models import Message, Mute, Silence

LENGTH = 50
# So many messages before a reported one, and after it, tell staff what it was about.
AROUND = 8


def recent(room: str, reader: User | None) -> list[Message]:
    """The last messages of a room that the reader wants to read, the oldest first."""
    messages = Message.objects.filter(room=room, hidden_at__isnull=True).select_related("author")
    return list(reversed(_wanted(messages, reader).order_by("-id")[:LENGTH]))


def around(message: Message) -> list[Message]:
    """A message with what was said before and after it in its room, also what is hidden."""
    room = Message.objects.filter(room=message.room).select_related("author")
    before = room.filter(pk__lt=message.pk).order_by("-id")[:AROUND]
    after = room.filter(pk__gt=message.pk).order_by("id")[:AROUND]
    return [*reversed(before), message, *after]


def silenced_until(user_id: int, now: datetime) -> datetime | None:
    """Until when staff has taken somebody's word away; None when he may speak."""
    running = Silence.objects.filter(user_id=user_id, until__gt=now)
    return running.order_by("-until").values_list("until", flat=True).first()


def muted_by(owner_id: int) -> QuerySet[User]:
    """Whom a member reads no more, the newest first."""
    muted = User.objects.filter(muted_by__owner_id=owner_id).select_related("profile")
    return muted.order_by("-muted_by__created_at")


def unheard(reader_id: int) -> set[int]:
    """The users whom the reader has muted or blocked, and those who have blocked him."""
    muted = Mute.objects.filter(owner_id=reader_id).values_list("muted_id", flat=True)
    blocked = Block.objects.filter(owner_id=reader_id).values_list("blocked_id", flat=True)
    blockers = Block.objects.filter(blocked_id=reader_id).values_list("owner_id", flat=True)
    return {*muted, *blocked, *blockers}


def _wanted(messages: QuerySet[Message], reader: User | None) -> QuerySet[Message]:
    if reader is None:
        return messages
    muted = Mute.objects.filter(owner=reader).values("muted")
    blocked = Block.objects.filter(owner=reader).values("blocked")
    blockers = Block.objects.filter(blocked=reader).values("owner")
    avoided = Q(author__in=muted) | Q(author__in=blocked) | Q(author__in=blockers)
    return messages.exclude(avoided)
