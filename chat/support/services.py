"""Write to support, add to a request, close it, forget old ones.

Lock order: the member's row, then the request.
"""

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils.text import Truncator

from accounts import broadcast
from accounts.models import User
from accounts.people.locks import lock_people
from accounts.shared.refusals import Refused
from accounts.shared.transactions import announce_after_commit, write_transaction
from chat.models import Ticket, TicketMessage
from chat.pace import need_pace
from chat.support import emails
from chat.support.selectors import belonging_to

MAX_TEXT = 3000  # characters
# Most requests of a member, and most messages that a sender adds to one, per day.
DAILY_TICKETS, DAILY_REPLIES, DAY = 10, 20, timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Details:
    """Details that are sent with a request unless its sender leaves them out; each may be empty."""

    page: str = ""
    version: str = ""
    device: str = ""
    zone: str = ""


NO_DETAILS = Details()


@dataclass(frozen=True, slots=True)
class Question:
    """A request as its sender wrote it. Two with the same `once` are one request."""

    topic: Ticket.Topic
    text: str
    language: str
    once: UUID
    room: str = ""
    details: Details = NO_DETAILS


def ask(sender: User | str, question: Question, now: datetime) -> Ticket:
    """Store a request of a member, or of somebody at an email address. Idempotent.

    Raises Refused: `not_member` if the account is closed or banned, `too_fast` beyond a member's
    daily limit; the view limits senders without an account.
    """
    with write_transaction():
        # The lock serializes counting and adding.
        if isinstance(sender, User) and not lock_people(sender.pk):
            raise Refused("not_member")
        found = Ticket.objects.filter(once=question.once).first()
        if found is not None:
            return found
        if isinstance(sender, User):
            need_pace(Ticket.objects.filter(user=sender), DAILY_TICKETS, now - DAY)
        columns = {
            **_from(sender),
            **asdict(question.details),
            "language": question.language,
            "topic": question.topic,
            "subject": _subject(question.text),
            "room": question.room,
            "created_at": now,
            "last_at": now,
        }
        # A sender without an account has no row to lock: their form may arrive twice at once.
        ticket, is_new = Ticket.objects.get_or_create(once=question.once, defaults=columns)
        if not is_new:
            return ticket
        _add(ticket, question.text, question.once, now)
        if ticket.user_id is None:
            emails.confirm(ticket)
        return ticket


def reply(ticket: Ticket, text: str, once: UUID, now: datetime) -> None:
    """Add the sender's message, which opens a closed request again. Idempotent.

    Raises Refused: `too_fast`, or `gone` if the request was deleted.
    """
    with write_transaction():
        locked = lock(ticket)
        if TicketMessage.objects.filter(once=once).exists():
            return
        need_pace(locked.messages.filter(staff__isnull=True), DAILY_REPLIES, now - DAY)
        _add(locked, text, once, now)
        _put_read(locked, state=Ticket.State.WAITING, last_at=now)


def settle(ticket: Ticket) -> None:
    """Close the request for its sender, who needs no more help. Raises Refused("gone")."""
    with write_transaction():
        _put_read(lock(ticket), state=Ticket.State.CLOSED)


def read(ticket: Ticket) -> None:
    """Note that the member has seen the answer."""
    if not ticket.has_unread_answer:  # so that most page views need no write lock on SQLite
        return
    with write_transaction():
        _put_read(ticket)


def forget_old(before: datetime) -> int:
    """Delete requests without a message since a time; return their number. Waiting ones stay."""
    with write_transaction():
        old = Ticket.objects.filter(last_at__lt=before, merged_into__isnull=True)
        return _delete(old.exclude(state=Ticket.State.WAITING))


def forget_of(user_id: int) -> None:
    """Delete a closing member's requests, in the caller's transaction.

    This includes requests that were sent signed out with the account's email.
    """
    _delete(Ticket.objects.filter(belonging_to(User.objects.get(pk=user_id))))


def _delete(tickets: QuerySet[Ticket]) -> int:
    """Lock and delete requests, with those merged into them; return the number of both."""
    # Locked, since the sender or staff may be writing in one of them.
    ids = list(tickets.select_for_update().order_by("pk").values_list("pk", flat=True))
    # The URLs of merged requests lead to the request into which they were merged.
    gone = Ticket.objects.filter(Q(pk__in=ids) | Q(merged_into__in=ids))
    return dict(gone.delete()[1]).get("chat.Ticket", 0)


def lock(ticket: Ticket) -> Ticket:
    """Lock and return the request in its current state, or the one it was merged into.

    Raises Refused("gone") if it was deleted.
    """
    rows = Ticket.objects.select_for_update(no_key=True, of=("self",))
    locked = rows.filter(pk=ticket.pk).first()
    if locked is not None and locked.merged_into_id is not None:
        locked = rows.filter(pk=locked.merged_into_id).first()
    if locked is None:
        raise Refused("gone")
    return locked


def nudge(ticket: Ticket) -> None:
    """After the commit, refresh the mark in the header of the member's open pages."""
    user_id = ticket.user_id
    if user_id is not None:
        announce_after_commit(lambda: broadcast.nudge(user_id, "messages"))


def _from(sender: User | str) -> dict[str, Any]:
    return {"user": sender} if isinstance(sender, User) else {"email": sender}


def _subject(text: str) -> str:
    """Return the first words, which lists show as the request's title."""
    # Cut twice: Truncator does not count combining characters, but the column does.
    return Truncator(" ".join(text.split())).chars(80)[:80]


def _add(ticket: Ticket, text: str, once: UUID, now: datetime) -> None:
    TicketMessage.objects.create(ticket=ticket, text=text, once=once, created_at=now)


def _put_read(ticket: Ticket, **columns: Any) -> None:
    """Store these columns, and note that the sender has seen the answer."""
    Ticket.objects.filter(pk=ticket.pk).update(has_unread_answer=False, **columns)
    if ticket.has_unread_answer:
        nudge(ticket)
