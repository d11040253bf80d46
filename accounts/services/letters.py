"""Letters leave: claimed for a while, handed to the transport, marked.

Any number of workers may call `send_due`. A worker that dies between claim and mark leaves a claim
that runs out: that letter is sent again, at worst twice (under one Message-ID), never not at all.
Handing over is slow and happens outside any transaction.
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

from accounts.gate import writing
from accounts.models import Letter

logger = logging.getLogger(__name__)

BATCH = 20
# Longer than a batch can take: EMAIL_TIMEOUT for each letter.
CLAIM = timedelta(minutes=15)
# After the first failure, the second, ...; the last one is repeated.
WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60))
MOST_ATTEMPTS = 10
# The links of an older letter are dead: an outbox that was never emptied is not sent years later.
TOO_OLD = timedelta(days=3)
LONGEST_ERROR = 300


def send_due(now: datetime) -> datetime | None:
    """Send what is due; returns when the next letter will be, None when none waits."""
    if not settings.SENDS_LETTERS:
        return None
    waiting = Letter.objects.filter(due_at__isnull=False)
    if waiting.filter(due_at__lte=now).exists():
        _send_batch(now)
    return waiting.order_by("due_at").values_list("due_at", flat=True).first()


def forget(before: datetime) -> int:
    """Delete the letters written before a moment; returns how many."""
    with writing():
        count, _ = Letter.objects.filter(created_at__lt=before).delete()
    return count


def _send_batch(now: datetime) -> None:
    transport = get_connection(settings.EMAIL_TRANSPORT)
    try:
        for _ in range(BATCH):
            letter = _claim(now)
            if letter is None or not _send(letter, transport, now):
                break
    finally:
        _close(transport)


def _claim(now: datetime) -> Letter | None:
    """Take the letter that waits longest; nobody else takes it while the claim lasts."""
    with writing():
        due = Letter.objects.filter(due_at__lte=now).order_by("due_at")
        if connection.features.has_select_for_update_skip_locked:
            due = due.select_for_update(skip_locked=True)
        letter = due.first()
        if letter is None:
            return None
        mine = Letter.objects.filter(pk=letter.pk, due_at=letter.due_at)
        if not mine.update(due_at=now + CLAIM, attempts=F("attempts") + 1):
            return None
    letter.attempts += 1
    return letter


def _send(letter: Letter, transport: Any, now: datetime) -> bool:
    """Hand one letter over. False when the transport itself fails: no use to go on with it."""
    if now - letter.created_at > TOO_OLD:
        _give_up(letter, "Too old to be sent.")
        return True
    try:
        transport.open()  # stays open for the whole batch
        _message(letter, transport).send()
    except Exception as error:
        _fail(letter, error, now)
        return _is_about_the_letter(error)
    _mark(letter, due_at=None, sent_at=now, text="", error="")
    return True


def _message(letter: Letter, transport: Any) -> EmailMessage:
    sender = settings.DEFAULT_FROM_EMAIL
    domain = parseaddr(sender)[1].rpartition("@")[2]
    message_id = f"<{letter.created_at:%Y%m%d%H%M%S}.{letter.pk}@{domain}>"
    headers = {"Message-ID": message_id, "Auto-Submitted": "auto-generated"}
    return EmailMessage(
        letter.subject, letter.text, sender, [letter.to], connection=transport, headers=headers
    )


def _fail(letter: Letter, error: Exception, now: datetime) -> None:
    what = f"{type(error).__name__}: {error}"
    if _is_final(error) or letter.attempts >= MOST_ATTEMPTS:
        _give_up(letter, what)
        return
    logger.warning("letter %d not sent, attempt %d: %s", letter.pk, letter.attempts, what)
    wait = WAITS[min(letter.attempts, len(WAITS)) - 1]
    _mark(letter, due_at=now + wait, error=what[:LONGEST_ERROR])


def _give_up(letter: Letter, what: str) -> None:
    """Never sent: its links are nobody's any more."""
    logger.error("letter %d given up after %d attempts: %s", letter.pk, letter.attempts, what)
    _mark(letter, due_at=None, text="", error=what[:LONGEST_ERROR])


def _mark(letter: Letter, **what: Any) -> None:
    with writing():
        Letter.objects.filter(pk=letter.pk).update(**what)


def _close(transport: Any) -> None:
    try:
        transport.close()
    except OSError:  # smtplib's errors are such; the letters have left by then
        logger.warning("mail server did not take leave", exc_info=True)


def _is_about_the_letter(error: Exception) -> bool:
    return isinstance(error, SMTPRecipientsRefused | SMTPDataError | ValueError)


def _is_final(error: Exception) -> bool:
    """5xx says: never again like this. 4xx, and a server that is not there, say: later."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    if isinstance(error, SMTPDataError):
        return error.smtp_code >= 500
    return isinstance(error, ValueError)  # no letter at all: a line break in its head
