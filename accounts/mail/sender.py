"""Send stored emails: lease, hand over to the transport, mark.

Any number of workers may call `send_due`. Delivery is at least once: a worker that dies between
lease and mark leaves a lease that expires, and the email is sent again under the same Message-ID.
The transport is slow and runs outside any transaction.
"""

import logging
from datetime import datetime, timedelta
from email.utils import parseaddr
from smtplib import SMTPDataError, SMTPRecipientsRefused
from typing import Any

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.db import connection
from django.db.models import F
from prometheus_client import Counter

from accounts.models import OutgoingEmail
from accounts.shared.transactions import write_transaction

logger = logging.getLogger(__name__)
OUTCOMES = Counter("gammon_emails", "Attempts to send an email, by outcome", ["outcome"])

# The kind under which deadlines of emails are announced; the mail thread listens for it.
EMAILS = "emails"
# Headers by which a mail program offers to unsubscribe: a link (RFC 2369), one step (RFC 8058).
UNSUBSCRIBE = "List-Unsubscribe"
ONE_CLICK = {"List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
BATCH = 20  # emails sent over one connection
# Must be longer than BATCH emails take at EMAIL_TIMEOUT each.
LEASE = timedelta(minutes=15)
# Delays after the first failure, the second, ...; the last one repeats.
WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60))
# From this attempt on, an email that the server refuses is given up. A failed connection counts
# as an attempt too, but no email younger than TOO_OLD is given up because of failed connections.
MAX_ATTEMPTS = 10
# Older emails are given up, since their links have expired. Before that age no email is lost to a
# server that refuses the connection, for example after its password changed.
TOO_OLD = timedelta(days=3)
LONGEST_ERROR = 300  # characters: max_length of OutgoingEmail.error


def send_due(now: datetime) -> datetime | None:
    """Send due emails; return when the next one is due, None if none waits or sending is off."""
    if not settings.SENDS_EMAILS:
        return None
    waiting = OutgoingEmail.objects.filter(due_at__isnull=False)
    moments = waiting.order_by("due_at").values_list("due_at", flat=True)
    first = moments.first()
    if first is None or first > now:
        return first
    _send_batch(now)
    return moments.first()


def forget(before: datetime) -> int:
    """Delete emails created before a time; return their number."""
    with write_transaction():
        count, _ = OutgoingEmail.objects.filter(created_at__lt=before).delete()
    return count


def _send_batch(now: datetime) -> None:
    transport = get_connection(settings.EMAIL_TRANSPORT)
    try:
        for _ in range(BATCH):
            email = _lease(now)
            if email is None or not _send(email, transport, now):
                break
    finally:
        _close(transport)


def _lease(now: datetime) -> OutgoingEmail | None:
    """Lease the email that waits longest; other workers skip it while the lease lasts."""
    with write_transaction():
        due = OutgoingEmail.objects.filter(due_at__lte=now).order_by("due_at")
        if connection.features.has_select_for_update_skip_locked:
            due = due.select_for_update(skip_locked=True)
        email = due.first()
        if email is None:
            return None
        mine = OutgoingEmail.objects.filter(pk=email.pk, due_at=email.due_at)
        if not mine.update(due_at=now + LEASE, attempts=F("attempts") + 1):
            return None
    email.attempts += 1
    return email


def _send(email: OutgoingEmail, transport: Any, now: datetime) -> bool:
    """Send one email. Return False when the transport itself fails, so the batch stops."""
    if now - email.created_at > TOO_OLD:
        _give_up(email, "Too old to be sent.")
        return True
    try:
        transport.open()  # stays open for the whole batch
        _message(email, transport).send()
    except Exception as error:
        _fail(email, error, now)
        return _is_about_the_email(error)
    _mark(email, due_at=None, sent_at=now, text="", unsubscribe_url="", error="")
    OUTCOMES.labels("sent").inc()
    return True


def _message(email: OutgoingEmail, transport: Any) -> EmailMessage:
    sender = settings.DEFAULT_FROM_EMAIL
    domain = parseaddr(sender)[1].rpartition("@")[2]
    message_id = f"<{email.created_at:%Y%m%d%H%M%S}.{email.pk}@{domain}>"
    headers = {"Message-ID": message_id, "Auto-Submitted": "auto-generated"}
    if email.unsubscribe_url:
        headers |= {UNSUBSCRIBE: f"<{email.unsubscribe_url}>", **ONE_CLICK}
    return EmailMessage(
        email.subject, email.text, sender, [email.to], connection=transport, headers=headers
    )


def _fail(email: OutgoingEmail, error: Exception, now: datetime) -> None:
    reason = f"{type(error).__name__}: {error}"
    if _is_final(error) or (email.attempts >= MAX_ATTEMPTS and _is_about_the_email(error)):
        _give_up(email, reason)
        return
    logger.warning("email %d not sent, attempt %d: %s", email.pk, email.attempts, reason)
    OUTCOMES.labels("put off").inc()
    wait = WAITS[min(email.attempts, len(WAITS)) - 1]
    _mark(email, due_at=now + wait, error=reason[:LONGEST_ERROR])


def _give_up(email: OutgoingEmail, reason: str) -> None:
    """Mark an email as failed for good and erase its text and links."""
    logger.error("email %d given up after %d attempts: %s", email.pk, email.attempts, reason)
    OUTCOMES.labels("given up").inc()
    _mark(email, due_at=None, text="", unsubscribe_url="", error=reason[:LONGEST_ERROR])


def _mark(email: OutgoingEmail, **columns: Any) -> None:
    with write_transaction():
        OutgoingEmail.objects.filter(pk=email.pk).update(**columns)


def _close(transport: Any) -> None:
    try:
        transport.close()
    except OSError:  # smtplib's errors are OSErrors; the emails are sent by then
        logger.warning("mail server did not close the connection", exc_info=True)


def _is_about_the_email(error: Exception) -> bool:
    return isinstance(error, SMTPRecipientsRefused | SMTPDataError | ValueError)


def _is_final(error: Exception) -> bool:
    """Return True for 5xx (permanent); 4xx and connection errors are retried."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    if isinstance(error, SMTPDataError):
        return error.smtp_code >= 500
    return isinstance(error, ValueError)  # a malformed email: a line break in a header
