"""Queries for chats."""

from collections.abc import Collection
from datetime import datetime

from django.db.models import F, Q, QuerySet

from accounts.models import Block, User
from accounts.selectors import by_blocks
from chat.models import Message, Mute, Silence

# Messages of a room shown when a reader opens it.
MAX_RECENT = 50
# Messages shown to staff before a reported one, and after it.
AROUND = 8
# Ids of users hidden from a reader, and of users whose typed text is hidden.
Unheard = tuple[set[int], set[int]]


def recent(room: str, reader: User | None) -> list[Message]:
    """Return the last messages, oldest first, at most MAX_RECENT.

    Leaves out hidden messages, those of users who are muted, blocked or block the reader, and the
    typed ones of users whose text alone is muted.
    """
    messages = Message.objects.filter(room=room, hidden_at__isnull=True).select_related("author")
    return list(reversed(_wanted(messages, reader).order_by("-id")[:MAX_RECENT]))


def rooms_with_messages(rooms: Collection[str]) -> set[str]:
    """Return the rooms in which anybody has written, hidden messages included."""
    messages = Message.objects.filter(room__in=rooms).order_by()
    return set(messages.values_list("room", flat=True).distinct())


def around(message: Message) -> list[Message]:
    """Return a message with up to AROUND before and after it in its room, hidden ones included."""
    room = Message.objects.filter(room=message.room).select_related("author")
    before = room.filter(pk__lt=message.pk).order_by("-id")[:AROUND]
    after = room.filter(pk__gt=message.pk).order_by("id")[:AROUND]
    return [*reversed(before), message, *after]


def silence_of(user_id: int, now: datetime) -> Silence | None:
    """Return the running silence that ends last; None if the user may write."""
    return silences_of([user_id], now).get(user_id)


def silences_of(user_ids: Collection[int], now: datetime) -> dict[int, Silence]:
    """Return `silence_of` each user who may not write, by the user's id."""
    running = Silence.objects.filter(user_id__in=user_ids, until__gt=now).order_by("until")
    return {silence.user_id: silence for silence in running}


def latest_silence(user_id: int) -> Silence | None:
    """Return the silence that ends or ended last; None if there was none.

    Staff lift all running silences at once, so several may end at the same moment: prefer the one
    that the player appealed.
    """
    answered = F("answered_at").desc(nulls_last=True)
    appealed = F("appealed_at").desc(nulls_last=True)
    silences = Silence.objects.filter(user_id=user_id).select_related("report__message")
    return silences.order_by("-until", answered, appealed, "-pk").first()


def muted_by(owner_id: int) -> QuerySet[User]:
    """Return the users that a member has muted, newest first, each with `only_text`."""
    muted = User.objects.filter(muted_by__owner_id=owner_id).select_related("profile")
    muted = muted.annotate(only_text=F("muted_by__only_text"))
    return muted.order_by("-muted_by__created_at")


def unheard_by_each(reader_ids: Collection[int]) -> dict[int, Unheard]:
    """Return, for each reader, the users hidden from them and those whose typed text is hidden.

    The first are users whom the reader mutes or blocks, and those who block the reader.
    """
    found: dict[int, Unheard] = {reader_id: (set(), set()) for reader_id in reader_ids}
    mutes = Mute.objects.filter(owner_id__in=reader_ids)
    for owner_id, muted_id, only_text in mutes.values_list("owner_id", "muted_id", "only_text"):
        users, authors_of_text = found[owner_id]
        (authors_of_text if only_text else users).add(muted_id)
    blocks = Block.objects.filter(Q(owner_id__in=reader_ids) | Q(blocked_id__in=reader_ids))
    for pair in blocks.values_list("owner_id", "blocked_id"):
        for reader_id, other_id in (pair, pair[::-1]):
            if reader_id in found:
                found[reader_id][0].add(other_id)
    return found


def _wanted(messages: QuerySet[Message], reader: User | None) -> QuerySet[Message]:
    if reader is None:
        return messages
    mutes = Mute.objects.filter(owner=reader)
    muted = mutes.filter(only_text=False).values("muted")
    typed = Q(kind=Message.Kind.TEXT, author__in=mutes.filter(only_text=True).values("muted"))
    avoided = Q(author__in=muted) | by_blocks(reader.pk, "author")
    return messages.exclude(avoided | typed)
