"""Send a message in a room, mute its author, report it."""

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.people.blocks import announce_unheard
from accounts.people.locks import lock_people, lock_unclosed
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from accounts.times.texts import iso_of
from chat.models import Message, Mute, Report
from chat.pace import need_pace
from chat.phrases import EMOJI, PHRASES
from chat.selectors import silence_of
from chat.word_list import word_list

MAX_TEXT = 200  # characters
BATCH = 500  # messages deleted in one transaction
# Most messages of one author in all rooms together: in a WINDOW, and in an HOUR.
BURST, WINDOW = 5, timedelta(seconds=10)
HOURLY, HOUR = 200, timedelta(hours=1)
# Most reports about messages by one user in a DAY.
DAILY_REPORTS, DAY = 50, timedelta(days=1)
MAX_MUTES = 1000  # users that one member may mute
# Invisible letters and symbols: Hangul fillers (Unicode's Default_Ignorable_Code_Point) and the
# Braille pattern without dots.
_BLANKS = frozenset("\u115f\u1160\u3164\uffa0\u2800")


@dataclass(frozen=True, slots=True)
class Guest:
    """An author without an account; `name` is empty if the guest has chosen none."""

    id: UUID
    name: str = ""


def say(
    room: str,
    author: User | Guest,
    kind: str,
    body: str,
    now: datetime,
    client_id: UUID | None = None,
    *,
    admits_guests: bool = False,
) -> Message | None:
    """Write a message; the caller has checked that the author may speak in the room.

    In a room that admits guests, they and accounts that are not activated may send phrases and
    emoji. Idempotent: return None if the author has sent this `client_id` before.

    Raises Refused: `not_member`, `silenced`, `too_fast`, `refused_word`; `unreadable` for an
    unknown code and for a text that is empty or too long.
    """
    if not _may_say(author, kind, admits_guests):
        raise Refused("not_member")
    body = _checked(kind, body)
    with write_transaction():
        # Lock the author, so that their messages are counted and stored one at a time. This fails
        # if the account was banned or closed since the check above.
        if isinstance(author, User) and not lock_people(author.pk):
            raise Refused("not_member")
        if _is_sent(author, client_id):
            return None
        _need_writing_allowed(author, now)
        message = Message(
            room=room,
            guest_name=author.name if isinstance(author, Guest) else "",
            kind=kind,
            body=body,
            client_id=client_id,
            created_at=now,
            **_author_column(author),
        )
        return message if _add_once(message, author) else None


def _add_once(message: Message, author: User | Guest) -> bool:
    """Add a message; return False if its guest has meanwhile added it over another connection."""
    try:
        with transaction.atomic(savepoint=isinstance(author, Guest)):
            message.save(force_insert=True)
    except IntegrityError:
        # Only for a guest: a member is locked, so their other connections wait.
        if isinstance(author, Guest) and _is_sent(author, message.client_id):
            return False
        raise
    return True


def _is_sent(author: User | Guest, client_id: UUID | None) -> bool:
    return client_id is not None and _own(author).filter(client_id=client_id).exists()


def say_privately(
    room: str, author: User, body: str, now: datetime, client_id: UUID | None, *, most: int
) -> Message:
    """Write a text of up to `most` characters, with its line breaks, to a room of two members.

    Runs in the transaction of the caller, which has locked the author and checked that they may
    speak there and that the `client_id` is new. Raises Refused: `silenced`, `too_fast`,
    `refused_word`, and `unreadable` for a text that is empty or too long.
    """
    if len(body) > 4 * most:  # checking a long text would keep both members locked
        raise Refused("unreadable")
    body = _checked_text("\n".join(_sanitized_text(line) for line in body.splitlines()), most)
    _need_writing_allowed(author, now)
    return Message.objects.create(
        room=room,
        author=author,
        kind=Message.Kind.TEXT,
        body=body,
        client_id=client_id,
        created_at=now,
    )


def _may_say(author: User | Guest, kind: str, admits_guests: bool) -> bool:
    if isinstance(author, User) and author.is_member:
        return True
    is_shut_out = isinstance(author, User) and (not author.is_active or author.closed_at)
    return admits_guests and not is_shut_out and kind != Message.Kind.TEXT


def _author_column(author: User | Guest) -> dict[str, Any]:
    return {"guest": author.id} if isinstance(author, Guest) else {"author": author}


def _own(author: User | Guest) -> QuerySet[Message]:
    return Message.objects.filter(**_author_column(author))


def _need_writing_allowed(author: User | Guest, now: datetime) -> None:
    """Refuse a silenced member, and an author who writes too often."""
    silence = silence_of(author.pk, now) if isinstance(author, User) else None
    if silence is not None:
        raise Refused("silenced", until=iso_of(silence.until), note=silence.reason)
    for most, window in ((BURST, WINDOW), (HOURLY, HOUR)):
        need_pace(_own(author), most, now - window)


def adopt(guest: UUID, user_id: int) -> None:
    """Give a guest's messages to the member they became, in the caller's transaction."""
    Message.objects.filter(guest=guest).update(author_id=user_id, guest=None, guest_name="")


def forget_rooms(rooms: Collection[str]) -> None:
    """Delete the messages of rooms whose matches are deleted, in the caller's transaction.

    A reported message stays as long as its report, which refers to it.
    """
    Message.objects.filter(room__in=rooms, reports=None).delete()


def forget_written(prefix: str, before: datetime) -> int:
    """Delete unreported messages before a time; return their number.

    Only messages in rooms whose names begin with `prefix` are deleted.
    """
    old = Message.objects.filter(room__startswith=prefix, created_at__lt=before, reports=None)
    count = 0
    while ids := list(old.order_by("pk").values_list("pk", flat=True)[:BATCH]):
        with write_transaction():
            # A report may have come meanwhile.
            deleted = Message.objects.filter(pk__in=ids, reports=None).delete()[0]
        count += deleted
        if not deleted:
            break
    return count


def forget_mutes(user_id: int) -> None:
    """Delete the mutes by and of a closing member, in the caller's transaction."""
    Mute.objects.filter(Q(owner=user_id) | Q(muted=user_id)).delete()


def mute(owner: User, muted_id: int, now: datetime, *, only_text: bool = False) -> None:
    """Stop showing a user's messages, or only the typed ones, to the owner; idempotent.

    A mute of everything replaces a mute of typed text, but not the other way round. Nothing is
    stored if one of the two accounts is closed.
    Raises Refused("too_many") at MAX_MUTES.
    """
    if owner.pk != muted_id:
        with write_transaction():
            if not lock_unclosed(owner.pk, muted_id):  # the lock serializes counting and adding
                return
            if Mute.objects.filter(owner=owner).exclude(muted_id=muted_id).count() >= MAX_MUTES:
                raise Refused("too_many")
            given = {"created_at": now, "only_text": only_text}
            mute, _ = Mute.objects.get_or_create(owner=owner, muted_id=muted_id, defaults=given)
            if mute.only_text and not only_text:
                mute.only_text = False
                mute.save(update_fields=["only_text"])
            announce_unheard(owner.pk)


def unmute(owner: User, muted_id: int) -> None:
    with write_transaction():
        Mute.objects.filter(owner=owner, muted_id=muted_id).delete()
        announce_unheard(owner.pk)


def report(reporter: User, message_id: int, now: datetime) -> None:
    """Report a message to staff; do nothing if the same report is open or new.

    A report that staff have closed is opened again a DAY after it was made, not before. Raises
    Message.DoesNotExist for an unknown message or one that a guest wrote, and Refused("too_fast")
    after DAILY_REPORTS in a DAY.
    """
    message = Message.objects.get(pk=message_id, author__isnull=False)
    with write_transaction():
        lock_people(reporter.pk)  # serializes counting and adding
        made = Report.objects.filter(reporter=reporter)
        is_open_or_new = Q(closed_at__isnull=True) | Q(created_at__gt=now - DAY)
        if made.filter(is_open_or_new, message=message).exists():
            return
        need_pace(made, DAILY_REPORTS, now - DAY)
        opened = {"created_at": now, "closed_at": None, "closed_by": None}
        Report.objects.update_or_create(message=message, reporter=reporter, defaults=opened)


def _checked(kind: str, body: str) -> str:
    known = {Message.Kind.PHRASE: PHRASES, Message.Kind.EMOJI: EMOJI}.get(Message.Kind(kind))
    if known is not None:
        if body not in known:
            raise Refused("unreadable")
        return body
    return _checked_text(_sanitized_text(body), MAX_TEXT)


def _checked_text(text: str, most: int) -> str:
    text = text.strip()
    if not any(map(_is_visible, text)) or len(text) > most:
        raise Refused("unreadable")
    if word_list().refuses(text):
        raise Refused("refused_word")
    return text


def _sanitized_text(text: str) -> str:
    return "".join(map(_sanitized_character, text))


def _is_visible(character: str) -> bool:
    """Return whether the character is visible by itself; a combining mark is not."""
    return character not in _BLANKS and unicodedata.category(character)[0] not in "CMZ"


def _sanitized_character(character: str) -> str:
    """Replace white space by a space; drop control and format characters and lone surrogates."""
    if character.isspace():
        return " "
    is_joiner = character == "\u200d"  # part of emoji
    return (
        "" if unicodedata.category(character) in ("Cc", "Cf", "Cs") and not is_joiner else character
    )
