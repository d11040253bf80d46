"""Write to a member, mark messages as read, choose who may write."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import F, Q

from accounts import broadcast
from accounts.models import Block, NoticeKind, User
from accounts.notices import services as notices
from accounts.notices.services import Event
from accounts.people.locks import lock_people
from accounts.shared.refusals import Refused
from accounts.shared.transactions import announce_after_commit, write_transaction
from chat.direct import selectors
from chat.direct.room import members_of, room_of
from chat.models import Conversation, Message, Mute, Reach
from chat.services import messages

MAX_TEXT = 1000  # characters
# Conversations begun in a DAY after which a member can write only to people who know them
# (`selectors.knows`).
STRANGERS, DAY = 20, timedelta(days=1)
# Most messages to a person who does not know the member, until that person answers.
UNANSWERED = 5
# Time after which a notice of a message is no longer sent.
NOTICE_LIFETIME = timedelta(days=7)


def send(
    author: User, other: User, body: str, now: datetime, client_id: UUID | None = None
) -> Message | None:
    """Write to the other member. Idempotent: return None for a repeated `client_id`.

    Raises Refused: the codes of `selectors.refusal`; `many_strangers` and `unanswered` beyond
    STRANGERS and UNANSWERED; the codes of `messages.say_privately`.
    """
    with write_transaction():
        lock_people(author.pk, other.pk)
        found = User.objects.in_bulk([author.pk, other.pk])
        author, other = found[author.pk], found[other.pk]
        if client_id and Message.objects.filter(author=author, client_id=client_id).exists():
            return None
        _check(author, other, now)
        message = messages.say_privately(
            room_of(author.pk, other.pk), author, body, now, client_id, most=MAX_TEXT
        )
        _note_sent(author, other, message)
        if not selectors.mutes(other.pk, author.pk):
            _note_received(other, author, message)
            _tell(other, author, message, now)
        _nudge(author.pk, other.pk)
    return message


def read(owner: User, other: User, up_to: int) -> None:
    """Mark the other's messages up to this id as read; the other member sees that they are read.

    The messages of a muted member are not shown to the owner, so they stay unread.
    """
    waiting = Conversation.objects.filter(owner=owner, other=other)
    # Query before locking, since a transaction that writes takes SQLite's single write lock.
    if not waiting.filter(read_id__lt=up_to).exists() or selectors.mutes(owner.pk, other.pk):
        return
    with write_transaction():
        mine = waiting.select_for_update().filter(read_id__lt=up_to).first()
        if mine is None:
            return
        theirs = Message.objects.filter(room=room_of(owner.pk, other.pk), author=other)
        mine.unread = theirs.filter(pk__gt=up_to).count()
        mine.read_id = up_to
        mine.save(update_fields=["unread", "read_id"])
        notices.arrive(owner.pk, "chat:conversation", other.public_id)
        _nudge(owner.pk, other.pk)


def refresh_hidden(message_id: int) -> None:
    """After the commit, make the open pages of both members fetch a hidden message again."""
    room = Message.objects.values_list("room", flat=True).get(pk=message_id)
    _nudge(*members_of(room))


def choose_reach(user: User, accepts: Reach.From) -> None:
    """Store from whom the member accepts messages."""
    with write_transaction():
        Reach.objects.update_or_create(user=user, defaults={"accepts": accepts})


def forget(user_id: int) -> None:
    """Delete a closing member's list of conversations and `Reach`, in the caller's transaction.

    The other members keep their lists. Their mutes and blocks of the closing member end with the
    account. The unread messages that a mute or block kept out of the count would then be counted,
    so their number is set to 0.
    """
    rows = Conversation.objects.filter(Q(owner_id=user_id) | Q(other_id=user_id)).order_by("pk")
    # Lock in one order to avoid a deadlock: the other member may be closing their account too.
    list(rows.select_for_update().values_list("pk", flat=True))
    Conversation.objects.filter(owner_id=user_id).delete()
    muters = Mute.objects.filter(muted_id=user_id, only_text=False).values("owner")
    blockers = Block.objects.filter(blocked_id=user_id).values("owner")
    unseen = Q(owner__in=muters) | Q(owner__in=blockers)
    Conversation.objects.filter(unseen, other_id=user_id).update(unread=0)
    Reach.objects.filter(pk=user_id).delete()


def _check(author: User, other: User, now: datetime) -> None:
    code = selectors.refusal(author, other)
    if code:
        raise Refused(code)
    if selectors.knows(other, author):
        return
    sent = Message.objects.filter(room=room_of(author.pk, other.pk), author=author)
    if sent[:UNANSWERED].count() >= UNANSWERED:
        raise Refused("unanswered")
    begun = Conversation.objects.filter(owner=author, has_begun_it=True, created_at__gt=now - DAY)
    if begun.exclude(other=other).count() >= STRANGERS:
        raise Refused("many_strangers")


def _note_sent(author: User, other: User, message: Message) -> None:
    _note(author, other, message, has_begun_it=True)


def _note_received(owner: User, author: User, message: Message) -> None:
    _note(owner, author, message, has_begun_it=False)
    Conversation.objects.filter(owner=owner, other=author).update(unread=F("unread") + 1)


def _note(owner: User, other: User, message: Message, *, has_begun_it: bool) -> None:
    latest = {"last_message": message, "last_at": message.created_at}
    begun = {"has_begun_it": has_begun_it, "created_at": message.created_at}
    Conversation.objects.update_or_create(
        owner=owner, other=other, defaults=latest, create_defaults=latest | begun
    )


def _tell(owner: User, author: User, message: Message, now: datetime) -> None:
    """Notify the owner of a message, unless they were notified of an earlier unread message.

    If they had a page of the site open when the earlier message came, they were not notified of it.
    """
    mine = Conversation.objects.get(owner=owner, other=author)
    key, expires_at = f"message {message.pk}", now + NOTICE_LIFETIME
    event = Event(NoticeKind.MESSAGE, "chat:conversation", author.public_id, expires_at, key)
    if mine.unread == 1 or not notices.is_told(owner.pk, event):
        notices.tell(owner.pk, event, now)


def _nudge(*member_ids: int) -> None:
    def send_all() -> None:
        for member_id in member_ids:
            broadcast.nudge(member_id, "messages")

    announce_after_commit(send_all)
