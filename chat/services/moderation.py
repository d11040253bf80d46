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
    """Forbid the author to write in any room for `span`; notify them at tables and by email.

    If the message has a running silence, `span` counts from its start and can only lengthen it.
    Raises Refused("open_appeal") if a new silence would replace one whose appeal is not answered.
    """
    author_id = report.author.pk
    with write_transaction():
        # Locked, since staff may act on several reports of a message at the same time.
        Message.objects.select_for_update(no_key=True).get(pk=report.message_id)
        known = Silence.objects.select_for_update(no_key=True, of=("self",))
        of_message = known.filter(report__message=report.message_id)
        running = of_message.filter(until__gt=now).order_by("-until").first()
        silence = running or _begun(report, staff, now)
        until = silence.created_at + span
        is_longer = running is None or running.until < until
        if is_longer:
            _set_end(silence, until, reason)
            member_emails.write(author_id, "silenced", {"until": until, "reason": reason})
            _tell_tables(author_id)
        return _close_all(report, staff, now) or is_longer


def ban(report: Report, staff: User, now: datetime) -> bool:
    """Shut the author out of the site."""
    with write_transaction():
        done = members.ban(report.author.pk)
        return _close_all(report, staff, now) or done


def appeal(user_id: int, text: str, now: datetime) -> None:
    """Ask staff to review the running silence, once; again if it is lengthened after the answer.

    Idempotent for the same text. Raises `Refused`: `not_silenced`, `already_appealed`.
    """
    with write_transaction():
        silence = selectors.silence_of(user_id, now)
        if silence is None:
            raise Refused("not_silenced")
        waiting = Silence.objects.filter(pk=silence.pk, appealed_at__isnull=True)
        if waiting.update(appeal=text, appealed_at=now):
            return
        own = Silence.objects.filter(pk=silence.pk, answered_at__isnull=True, appeal=text)
        if not own.exists():
            raise Refused("already_appealed")


def uphold(silence: Silence, answer: str, now: datetime) -> bool:
    """Refuse an open appeal and send the player the reason."""
    with write_transaction():
        waiting = Silence.objects.filter(
            pk=silence.pk, appealed_at__isnull=False, answered_at__isnull=True
        )
        done = bool(waiting.update(answer=answer, answered_at=now))
        if done:
            about = {"reason": answer, "is_over": silence.until <= now}
            member_emails.write(silence.user_id, "appeal_refused", about)
        return done


def end_silence(silence: Silence, now: datetime, answer: str = "") -> bool:
    """Let the player write again: end all their running silences, and notify them.

    This grants the open appeals against these silences, and the appeal against the chosen silence
    even if that silence is over. Return False if the chosen silence is over and has no open appeal.
    """
    with write_transaction():
        rows = Silence.objects.select_for_update(no_key=True).filter(user=silence.user_id)
        found = [each for each in rows.order_by("pk") if each.pk == silence.pk or each.until > now]
        chosen = next((each for each in found if each.pk == silence.pk), None)
        if chosen is None or not (chosen.until > now or chosen.has_open_appeal):
            return False
        for each in found:
            each.until = min(each.until, now)
            if each is chosen or each.answered_at is None:  # else keep the earlier answer
                each.answer, each.answered_at = answer, now
            each.save(update_fields=["until", "answer", "answered_at"])
        member_emails.write(silence.user_id, "silence_ended", {"reason": answer})
        _tell_tables(silence.user_id)
        return True


def _begun(report: Report, staff: User, now: datetime) -> Silence:
    """Return a silence that begins now; it replaces one of the same report, which has ended."""
    rows = Silence.objects.select_for_update(no_key=True, of=("self",))
    silence = rows.filter(report=report).first() or Silence(report=report, user=report.author)
    if silence.has_open_appeal:
        raise Refused("open_appeal")
    silence.by, silence.created_at = staff, now
    return silence


def _set_end(silence: Silence, until: datetime, reason: str) -> None:
    """Store the new end and reason; if an appeal was answered, the player may appeal again."""
    silence.until, silence.reason = until, reason
    if not silence.has_open_appeal:
        silence.appeal, silence.appealed_at = "", None
        silence.answer, silence.answered_at = "", None
    silence.save()


def _tell_tables(user_id: int) -> None:
    """After the commit, let the user's open tables read again whether they may write."""
    announce_after_commit(lambda: broadcast.blocks_changed([user_id]))


def _close_all(report: Report, staff: User, now: datetime) -> bool:
    """Close every open report about the same message."""
    waiting = Report.objects.filter(message=report.message_id, closed_at__isnull=True)
    return bool(waiting.update(closed_at=now, closed_by=staff))
