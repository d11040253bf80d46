"""Queries for conversations."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from django.db.models import Q, QuerySet, Sum

from accounts.models import Block, User
from accounts.selectors import (
    ONLINE_FOR,
    are_friends,
    blocked_by,
    by_friends,
    either_blocks,
)
from accounts.shared.plain_text import as_login, containing
from chat.direct.acquaintances import met
from chat.direct.room import room_of
from chat.models import Conversation, Message, Mute, Reach

# Messages on a page of a conversation.
PAGE_LENGTH = 50


class Show(StrEnum):
    """The people that the list of conversations shows."""

    ALL = "all"
    UNREAD = "unread"
    ONLINE = "online"
    FRIENDS = "friends"
    MET = "met"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """A person in the list; `conversation` is the list owner's row about this person, if any.

    For a muted person the list shows neither the last text nor the number of unread messages, since
    the conversation does not show these messages either. Messages of a blocked person are not
    counted, as in the site's header.
    """

    person: User
    is_online: bool
    conversation: Conversation | None
    is_muted: bool
    is_blocked: bool

    @property
    def unread(self) -> int:
        if self.conversation is None or self.is_muted or self.is_blocked:
            return 0
        return self.conversation.unread


def people(owner: User, show: Show, login: str, now: datetime) -> QuerySet[Any]:
    """Return the rows for `listed_people`: conversations for ALL and UNREAD, users for the rest.

    If `login` is not empty, return the members whose login begins with it, whatever `show` is.
    """
    if login:
        members = _members(owner).filter(username__istartswith=as_login(login))
        return members.order_by("username")
    if show is Show.BLOCKED:
        return blocked_by(owner.pk)
    if show is Show.FRIENDS:
        return _members(owner).filter(by_friends(owner.pk)).order_by("username")
    if show is Show.MET:
        return _members(owner).filter(pk__in=met(owner.pk)).order_by("username")
    if show is Show.ONLINE:
        return _members(owner).filter(_by_online(owner, now)).order_by("username")
    own = Conversation.objects.filter(owner=owner).select_related("last_message", "other__profile")
    own = own.exclude(other__in=_blocked(owner.pk))
    return own.filter(_by_unread(owner.pk)) if show is Show.UNREAD else own


def listed_people(owner: User, rows: Iterable[Any], now: datetime) -> list[ListedPerson]:
    """Turn the rows of one page of `people` into lines of the list."""
    rows = list(rows)
    found = {row.other_id: row for row in rows if isinstance(row, Conversation)}
    users = [row.other if isinstance(row, Conversation) else row for row in rows]
    if not found:
        own = Conversation.objects.filter(owner=owner, other__in=users)
        found = {each.other_id: each for each in own.select_related("last_message")}
    online = _online(owner, [user.pk for user in users], now)
    muted = set(_muted(owner.pk).filter(muted__in=users).values_list("muted", flat=True))
    blocked = set(_blocked(owner.pk).filter(blocked__in=users).values_list("blocked", flat=True))
    return [
        ListedPerson(
            user, user.pk in online, found.get(user.pk), user.pk in muted, user.pk in blocked
        )
        for user in users
    ]


def unread_conversations(user_id: int) -> QuerySet[Conversation]:
    """Return the member's conversations with unread messages, unordered, for a sum over them.

    Conversations with members whom the member mutes or blocks are left out.
    """
    own = Conversation.objects.filter(_by_unread(user_id), owner_id=user_id).order_by()
    return own.exclude(other__in=_blocked(user_id))


def unread_count(user_id: int) -> int:
    """Return the number of unread messages, without those of muted and blocked members."""
    return unread_conversations(user_id).aggregate(sum=Sum("unread"))["sum"] or 0


def conversation_of(owner_id: int, other_id: int) -> Conversation | None:
    return Conversation.objects.filter(owner_id=owner_id, other_id=other_id).first()


def messages_of(
    reader: User, other: User, before: int | None = None, text: str = ""
) -> QuerySet[Message]:
    """Return the messages between the two members, newest first.

    If the reader mutes the other member, only the reader's own messages are returned. With
    `before`, return only messages with lower ids. With `text`, return only messages that contain
    the text, regardless of capitals, and that staff have not hidden.
    """
    messages = Message.objects.filter(room=room_of(reader.pk, other.pk))
    if mutes(reader.pk, other.pk):
        messages = messages.filter(author=reader)
    if before is not None:
        messages = messages.filter(pk__lt=before)
    if text:
        messages = messages.filter(containing("body", text), hidden_at__isnull=True)
    return messages.select_related("author").order_by("-id")


def mutes(owner_id: int, other_id: int) -> bool:
    """Return whether the owner mutes all messages of the other member, not only typed ones."""
    return _muted(owner_id).filter(muted=other_id).exists()


def accepts(user_id: int) -> Reach.From:
    found = Reach.objects.filter(pk=user_id).values_list("accepts", flat=True).first()
    return Reach.From(found) if found else Reach.From.EVERYBODY


def refusal(author: User, other: User) -> str | None:
    """Return the refusal's code if the author cannot write to the other member, else None.

    Codes: `oneself`, `not_member`, `closed_account`, `blocked` (by the author) and `not_accepted`.
    The last one does not reveal whether the other member has blocked the author or has chosen not
    to accept such messages.
    """
    if author.pk == other.pk:
        return "oneself"
    if not author.is_member:
        return "not_member"
    if not other.is_member:
        return "closed_account"
    if Block.objects.filter(owner=author, blocked=other).exists():
        return "blocked"
    if either_blocks(author.pk, other.pk):
        return "not_accepted"
    wanted = accepts(other.pk)
    if wanted is Reach.From.NOBODY and not has_written(other, author):
        return "not_accepted"
    if wanted is Reach.From.KNOWN and not knows(other, author):
        return "not_accepted"
    return None


def knows(member: User, other: User) -> bool:
    """Return whether the member has written to the other, played with them, or is their friend."""
    return (
        has_written(member, other)
        or are_friends(member.pk, other.pk)
        or met(member.pk).filter(pk=other.pk).exists()
    )


def has_written(author: User, other: User) -> bool:
    return Message.objects.filter(room=room_of(author.pk, other.pk), author=author).exists()


def _members(viewer: User) -> QuerySet[User]:
    """Return the members except the viewer and those whom the viewer blocks."""
    members = User.objects.filter(
        is_active=True, activated_at__isnull=False, closed_at__isnull=True
    )
    members = members.exclude(pk=viewer.pk).exclude(pk__in=_blocked(viewer.pk))
    return members.select_related("profile")


def _blocked(owner_id: int) -> QuerySet[Block, Any]:
    return Block.objects.filter(owner_id=owner_id).values("blocked")


def _muted(owner_id: int) -> QuerySet[Mute]:
    return Mute.objects.filter(owner_id=owner_id, only_text=False)


def _by_unread(owner_id: int) -> Q:
    """Return the condition for conversations with unread messages, muted members left out."""
    return Q(unread__gt=0) & ~Q(other__in=_muted(owner_id).values("muted"))


def _online(viewer: User, user_ids: list[int], now: datetime) -> set[int]:
    online = User.objects.filter(_by_online(viewer, now), pk__in=user_ids)
    return set(online.values_list("pk", flat=True))


def _by_online(viewer: User, now: datetime) -> Q:
    """Return the condition that a member is online, shows it, and does not block the viewer."""
    blockers = Block.objects.filter(blocked=viewer).values("owner")
    seen = Q(presence__seen_at__gt=now - ONLINE_FOR, profile__shows_online=True)
    return seen & ~Q(pk__in=blockers)
