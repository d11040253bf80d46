"""Staff measures on a complaint. Each function is idempotent."""

from datetime import datetime, timedelta

from accounts.members import services as members
from accounts.models import User
from accounts.shared.transactions import write_transaction
from chat.models import Message, Report, Silence
from chat.signals import message_hidden


def hide(report: Report, staff: User, now: datetime) -> bool:
    """Hide the message from all readers of the room; the row stays."""
    with write_transaction():
        shown = Message.objects.filter(pk=report.message_id, hidden_at__isnull=True)
        done = bool(shown.update(hidden_at=now))
        if done:
            message_hidden.send(Message, message_id=report.message_id)
        return _close_all(report, staff, now) or done


def dismiss(report: Report, staff: User, now: datetime) -> bool:
    """Close a complaint without consequences."""
    with write_transaction():
        waiting = Report.objects.filter(pk=report.pk, closed_at__isnull=True)
        return bool(waiting.update(closed_at=now, closed_by=staff))


def silence(report: Report, staff: User, span: timedelta, now: datetime) -> bool:
    """Forbid the author to write in any room, for `span` from the complaint's first silence."""
    author_id = report.message.author_id
    with write_transaction():
        started, is_new = Silence.objects.get_or_create(
            report=report,
            defaults={"user_id": author_id, "by": staff, "created_at": now, "until": now + span},
        )
        until = started.created_at + span
        shorter = Silence.objects.filter(pk=started.pk, until__lt=until)
        was_lengthened = bool(shorter.update(until=until))
        return _close_all(report, staff, now) or is_new or was_lengthened


def ban(report: Report, staff: User, now: datetime) -> bool:
    """Shut the author out of the site."""
    with write_transaction():
        done = members.ban(report.message.author_id)
        return _close_all(report, staff, now) or done


def end_silence(silence: Silence, now: datetime) -> bool:
    """End a silence early."""
    with write_transaction():
        return bool(Silence.objects.filter(pk=silence.pk, until__gt=now).update(until=now))


def _close_all(report: Report, staff: User, now: datetime) -> bool:
    """Close every open complaint about the same message."""
    waiting = Report.objects.filter(message=report.message_id, closed_at__isnull=True)
    return bool(waiting.update(closed_at=now, closed_by=staff))
