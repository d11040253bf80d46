"""Answer, assign, merge, close and reopen requests, for staff.

The framework of staff actions writes the admin's log in the same transaction; only `answer` writes
its line itself.
"""

from datetime import datetime
from uuid import UUID

from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.staff.log import log_change
from accounts.shared.transactions import write_transaction
from chat.models import Ticket, TicketMessage
from chat.support import emails
from chat.support.services import lock, nudge


def answer(
    ticket: Ticket,
    staff: User,
    text: str,
    once: UUID,
    now: datetime,
    *,
    closes: bool = False,
    seen: int | None = None,
) -> bool:
    """Answer on the site and by email; return False if this answer was sent before.

    An unassigned request is assigned to the staff member who answers. `seen` is the number of
    messages that they have seen. Raises Refused: `newer_message` if the request has another number
    of messages now, `gone` if the request was deleted.
    """
    with write_transaction():
        locked = lock(ticket)
        if TicketMessage.objects.filter(once=once).exists():
            return False
        if seen is not None and locked.messages.count() != seen:
            raise Refused("newer_message")
        TicketMessage.objects.create(
            ticket=locked, staff=staff, text=text, once=once, created_at=now
        )
        locked.state = Ticket.State.CLOSED if closes else Ticket.State.ANSWERED
        locked.last_at = now
        locked.has_unread_answer = locked.user_id is not None
        locked.assignee = locked.assignee or staff
        locked.save(update_fields=["state", "last_at", "has_unread_answer", "assignee"])
        emails.tell_answer(locked, text)
        log_change(locked, staff.pk, "Answered", now)  # the message keeps the text
        nudge(locked)
        return True


def assign(ticket: Ticket, assignee: User | None) -> bool:
    with write_transaction():
        reassigned = Ticket.objects.filter(pk=ticket.pk).exclude(assignee=assignee)
        if assignee is None:
            reassigned = Ticket.objects.filter(pk=ticket.pk, assignee__isnull=False)
        return bool(reassigned.update(assignee=assignee))


def close(ticket: Ticket, *, newest: int | None = None) -> bool:
    """Close a request without a further answer; the sender sees that, and can write again.

    `newest` is the id of the newest message of all requests when staff chose this one. Raises
    Refused("newer_message") if the sender has written since then.
    """
    with write_transaction():
        # Locked, since the sender may be writing in it.
        rows = Ticket.objects.select_for_update(no_key=True, of=("self",))
        locked = rows.filter(pk=ticket.pk).exclude(state=Ticket.State.CLOSED).first()
        if locked is None:
            return False
        sent = locked.messages.filter(staff__isnull=True)
        if newest is not None and sent.filter(pk__gt=newest).exists():
            raise Refused("newer_message")
        locked.state = Ticket.State.CLOSED
        locked.save(update_fields=["state"])
        return True


def reopen(ticket: Ticket) -> bool:
    """Put a closed or answered request back into the queue."""
    with write_transaction():
        ended = Ticket.objects.filter(pk=ticket.pk, merged_into__isnull=True)
        ended = ended.exclude(state=Ticket.State.WAITING)
        return bool(ended.update(state=Ticket.State.WAITING))


def merge(ticket: Ticket, public_id: str) -> bool:
    """Move the messages of a request into another of the same sender; close the emptied one.

    Return False if the request was deleted. Raises Refused: `unknown`, `other_sender`; `merged` if
    one of them was merged already.
    """
    with write_transaction():
        both = _lock_both(ticket.pk, public_id)
        moved = both.get(ticket.pk)
        if moved is None:
            return False
        target = next((each for each in both.values() if each.public_id == public_id), None)
        if target is None or target == moved:
            raise Refused("unknown")
        if moved.merged_into_id or target.merged_into_id:
            raise Refused("merged")
        if (moved.user_id, moved.email.lower()) != (target.user_id, target.email.lower()):
            raise Refused("other_sender")
        _move(moved, target)
        return True


def _lock_both(pk: int, public_id: str) -> dict[int, Ticket]:
    other = Ticket.objects.filter(public_id=public_id).values_list("pk", flat=True).first()
    rows = Ticket.objects.select_for_update(no_key=True, of=("self",))
    return {each.pk: each for each in rows.filter(pk__in=[pk, other or pk]).order_by("pk")}


def _move(moved: Ticket, target: Ticket) -> None:
    """Move the messages; redirect earlier merges, so that no request points to a merged one."""
    moved.messages.update(ticket=target)
    moved.merged.update(merged_into=target)
    if Ticket.State.WAITING in (moved.state, target.state):
        target.state = Ticket.State.WAITING
    target.room = target.room or moved.room
    target.last_at = max(moved.last_at, target.last_at)
    target.has_unread_answer = moved.has_unread_answer or target.has_unread_answer
    target.save(update_fields=["state", "room", "last_at", "has_unread_answer"])
    moved.merged_into, moved.state, moved.has_unread_answer = target, Ticket.State.CLOSED, False
    moved.save(update_fields=["merged_into", "state", "has_unread_answer"])
    nudge(target)
