"""Measures of staff on reports and silences, and the appeal of a silenced player.

The measures are idempotent and return whether they changed anything.
"""

from datetime import datetime, timedelta

from accounts import broadcast
from accounts.mail import member_emails
from accounts.members import services as members
from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import announce_after_commit, write_transaction
from chat import selectors
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
    """Close a report without consequences."""
    with write_transaction():
        waiting = Report.objects.filter(pk=report.pk, closed_at__isnull=True)
        return bool(waiting.update(closed_at=now, closed_by=staff))


def silence(report: Report, staff: User, span: timedelta, now: datetime, reason: str = "") -> bool:
    """Forbid the author to write in any room, for `span` from the start of the report's silence.

    The author is notified at open tables and by email.
    """
    author_id = report.author.pk
    with write_transaction():
        started, is_new = Silence.objects.get_or_create(
            report=report,
            defaults={
                "user_id": author_id,
                "by": staff,
                "created_at": now,
                "until": now + span,
                "reason": reason,
            },
        )
        until = started.created_at + span
        shorter = Silence.objects.filter(pk=started.pk, until__lt=until)
        was_lengthened = bool(shorter.update(until=until, reason=reason))
        if is_new or was_lengthened:
            member_emails.write(author_id, "silenced", {"until": until, "reason": reason})
            _tell_tables(author_id)
        return _close_all(report, staff, now) or is_new or was_lengthened


def ban(report: Report, staff: User, now: datetime) -> bool:
    """Shut the author out of the site."""
    with write_transaction():
        done = members.ban(report.author.pk)
        return _close_all(report, staff, now) or done


def appeal(user_id: int, text: str, now: datetime) -> None:
    """Ask staff to review the running silence, once for each silence.

    Raises `Refused`: `not_silenced`, `already_appealed`.
    """
    with write_transaction():
        silence = selectors.silence_of(user_id, now)
        if silence is None:
            raise Refused("not_silenced")
        waiting = Silence.objects.filter(pk=silence.pk, appealed_at__isnull=True)
        if not waiting.update(appeal=text, appealed_at=now):
            raise Refused("already_appealed")


def uphold(silence: Silence, answer: str, now: datetime) -> bool:
    """Refuse an open appeal and send the player the reason."""
    with write_transaction():
        waiting = Silence.objects.filter(
            pk=silence.pk, appealed_at__isnull=False, answered_at__isnull=True
        )
        done = bool(waiting.update(answer=answer, answered_at=now))
        if done:
            member_emails.write(silence.user_id, "appeal_refused", {"reason": answer})
        return done


def end_silence(silence: Silence, now: datetime, answer: str = "") -> bool:
    """End a silence early, which also grants an open appeal; notify the player."""
    with write_transaction():
        running = Silence.objects.filter(pk=silence.pk, until__gt=now)
        done = bool(running.update(until=now, answer=answer, answered_at=now))
        if done:
            member_emails.write(silence.user_id, "silence_ended", {"reason": answer})
            _tell_tables(silence.user_id)
        return done


def _tell_tables(user_id: int) -> None:
    """After the commit, let the user's open tables read again whether they may write."""
    announce_after_commit(lambda: broadcast.blocks_changed([user_id]))


def _close_all(report: Report, staff: User, now: datetime) -> bool:
    """Close every open report about the same message."""
    waiting = Report.objects.filter(message=report.message_id, closed_at__isnull=True)
    return bool(waiting.update(closed_at=now, closed_by=staff))
