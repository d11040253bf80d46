"""Emails are sent once, retried after failures, finally given up, and erased."""

import socketserver
import threading
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from smtplib import (
    SMTPAuthenticationError,
    SMTPDataError,
    SMTPRecipientsRefused,
    SMTPServerDisconnected,
)

import pytest
from django.core.mail import EmailMessage, send_mail
from django.core.management import CommandError, call_command
from django.db import connections, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import override

from accounts.mail import sender
from accounts.models import OutgoingEmail
from tests.accounts.mail import transports
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 1, 1, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def transport(settings):
    """Send emails through a transport that records them, or fails with its `error`."""
    settings.SENDS_EMAILS = True
    settings.EMAIL_TRANSPORT = "tests.accounts.mail.transports.Failing"
    transports.Failing.error, transports.Failing.only = None, ""
    transports.Recording.sent = []
    return transports.Failing


def sent():
    return [message.to[0] for message in transports.Recording.sent]


def write(to="annika@example.org", at=NOW, **more):
    return OutgoingEmail.objects.create(
        **{"to": to, "subject": "Hello", "text": "Text", "created_at": at, "due_at": at, **more}
    )


# --- Stored --------------------------------------------------------------------------------------


def test_emails_are_stored_in_the_active_language():
    with override("tr"):
        send_mail("Hello", "Text", None, ["a@example.org", "b@example.org"])
    assert [email.to for email in OutgoingEmail.objects.order_by("id")] == [
        "a@example.org",
        "b@example.org",
    ]
    assert {email.language for email in OutgoingEmail.objects.all()} == {"tr"}


def test_email_of_a_rolled_back_transaction_is_not_sent():
    with transaction.atomic():
        EmailMessage("Hello", "Text", to=["a@example.org"]).send()
        transaction.set_rollback(True)
    assert not OutgoingEmail.objects.exists()


# --- Sent ----------------------------------------------------------------------------------------


def test_due_email_is_sent_once_and_its_text_erased():
    email = write()
    assert sender.send_due(NOW) is None
    assert sender.send_due(NOW + MINUTE) is None
    assert sent() == ["annika@example.org"]
    email.refresh_from_db()
    assert (email.text, email.due_at, email.sent_at) == ("", None, NOW)


def test_email_has_sender_subject_and_text(settings):
    settings.DEFAULT_FROM_EMAIL = "5Stars Gammon <post@play.example>"
    email = write(subject="Тема", text="Текст")
    sender.send_due(NOW)
    (message,) = transports.Recording.sent
    assert message.from_email == "5Stars Gammon <post@play.example>"
    assert (message.subject, message.body) == ("Тема", "Текст")
    headers = message.message()
    assert headers["Message-ID"] == f"<20260101000000.{email.pk}@play.example>"
    assert headers["Auto-Submitted"] == "auto-generated"
    assert headers.get_content_type() == "text/plain"


def test_emails_are_sent_in_order_in_batches():
    for number in range(sender.BATCH + 1):
        write(f"a{number:02}@example.org", at=NOW + timedelta(seconds=number))
    later = NOW + MINUTE
    assert sender.send_due(later) is not None
    assert sent() == [f"a{number:02}@example.org" for number in range(sender.BATCH)]
    sender.send_due(later)
    assert len(sent()) == sender.BATCH + 1


def test_email_not_due_yet_waits_and_its_time_is_returned():
    write(due_at=NOW + MINUTE)
    assert sender.send_due(NOW) == NOW + MINUTE
    assert sent() == []


def test_demonstration_sends_nothing_and_keeps_the_text(settings):
    settings.SENDS_EMAILS = False
    email = write()
    assert sender.send_due(NOW) is None
    email.refresh_from_db()
    assert (email.text, email.due_at) == ("Text", NOW)
    assert sent() == []


class _Smtp(socketserver.StreamRequestHandler):
    """Serve minimal SMTP: count the connections and store each email."""

    def handle(self):
        self.server.connections += 1
        self._say("220 here")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                self._say("354 go on")
                self.server.emails.append(b"".join(iter(self.rfile.readline, b".\r\n")))
            self._say("250 well")
            if verb == b"QUIT":
                return

    def _say(self, text):
        self.wfile.write(f"{text}\r\n".encode())


def test_emails_of_a_batch_share_one_connection(settings):
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Smtp) as server:
        server.emails, server.connections = [], 0
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        settings.EMAIL_TRANSPORT = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = server.server_address
        write(text="Привет")
        write("b@example.org")
        assert sender.send_due(NOW) is None
        server.shutdown()
    first, second = (message_from_bytes(email) for email in server.emails)
    assert first.get_payload(decode=True).decode().strip() == "Привет"
    assert (first["To"], second["To"]) == ("annika@example.org", "b@example.org")
    assert server.connections == 1


# --- Failures ------------------------------------------------------------------------------------


def test_refused_email_is_retried_after_growing_delays(transport):
    transport.error = SMTPRecipientsRefused({"annika@example.org": (452, b"full")})
    email = write()
    waits, now = [], NOW
    while (due_at := sender.send_due(now)) is not None:
        waits.append(due_at - now)
        now = due_at
    assert waits[:5] == [timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 60)]
    email.refresh_from_db()
    assert email.attempts == sender.MAX_ATTEMPTS
    assert "452" in email.error
    assert email.text == ""
    assert email.sent_at is None


def test_no_email_is_lost_while_the_server_refuses_our_password(transport):
    transport.error = SMTPAuthenticationError(535, b"wrong password")
    email = write()
    now = NOW
    while now < NOW + timedelta(days=2):
        due_at = sender.send_due(now)
        assert due_at is not None
        now = due_at
    email.refresh_from_db()
    assert email.attempts > sender.MAX_ATTEMPTS
    transport.error = None
    assert sender.send_due(now) is None
    assert sent() == ["annika@example.org"]


def test_email_that_waited_too_long_for_the_server_is_not_sent(transport):
    transport.error = SMTPServerDisconnected("gone")
    email = write()
    now = NOW
    while (due_at := sender.send_due(now)) is not None:
        now = due_at
    email.refresh_from_db()
    assert now - NOW <= sender.TOO_OLD + timedelta(hours=1)
    assert (email.error, email.text) == ("Too old to be sent.", "")


def test_retry_after_a_failure_clears_the_error(transport):
    transport.error = TimeoutError("slow")
    email = write()
    due_at = sender.send_due(NOW)
    transport.error = None
    assert sender.send_due(due_at) is None
    email.refresh_from_db()
    assert (sent(), email.error, email.attempts) == (["annika@example.org"], "", 2)


def test_unreachable_server_counts_as_a_failure(settings):
    settings.EMAIL_TRANSPORT = "tests.accounts.mail.transports.Unreachable"
    email = write()
    assert sender.send_due(NOW) == NOW + MINUTE
    email.refresh_from_db()
    assert (email.attempts, email.error) == (1, "ConnectionRefusedError: nobody there")


def test_failing_server_stops_the_batch(transport):
    transport.error = SMTPServerDisconnected("gone")
    first, second = write("a@example.org"), write("b@example.org")
    sender.send_due(NOW)
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.attempts, second.attempts) == (1, 0)


def test_refused_mailbox_is_given_up_at_once(transport):
    transport.error = SMTPRecipientsRefused({"annika@example.org": (550, b"no such user")})
    email = write()
    assert sender.send_due(NOW) is None
    email.refresh_from_db()
    assert (email.due_at, email.text, email.attempts) == (None, "", 1)
    assert "550" in email.error


def test_refused_email_does_not_stop_the_others(transport):
    transport.error, transport.only = SMTPDataError(451, b"later"), "a@example.org"
    write("a@example.org")
    write("b@example.org")
    assert sender.send_due(NOW) == NOW + MINUTE
    assert sent() == ["b@example.org"]


def test_email_with_a_line_break_in_its_subject_is_given_up():
    email = write(subject="Hello\nBcc: everybody@example.org")
    assert sender.send_due(NOW) is None
    email.refresh_from_db()
    assert "BadHeaderError" in email.error


def test_long_error_is_truncated(transport):
    transport.error = OSError("x" * 1000)
    email = write()
    sender.send_due(NOW)
    email.refresh_from_db()
    assert len(email.error) == sender.LONGEST_ERROR


def test_too_old_email_is_not_sent():
    email = write()
    assert sender.send_due(NOW + timedelta(days=3, seconds=1)) is None
    email.refresh_from_db()
    assert (sent(), email.text) == ([], "")


# --- Several workers and crashes -----------------------------------------------------------------


def test_email_of_a_dead_worker_is_sent_after_its_lease_expires():
    write()
    assert sender._lease(NOW) is not None  # and then this worker is killed
    assert sender.send_due(NOW + MINUTE) == NOW + sender.LEASE
    assert sent() == []
    sender.send_due(NOW + sender.LEASE)
    assert sent() == ["annika@example.org"]


def test_email_sent_twice_has_one_message_id(monkeypatch):
    """The worker dies after the server accepted the email and before marking it as sent."""
    write()

    def die(*args, **kwargs):
        raise KeyboardInterrupt

    with monkeypatch.context() as dying:
        dying.setattr(sender, "_mark", die)
        with pytest.raises(KeyboardInterrupt):
            sender.send_due(NOW)
    sender.send_due(NOW + sender.LEASE)
    first, second = (message.message()["Message-ID"] for message in transports.Recording.sent)
    assert first == second


@pytest.mark.django_db(transaction=True)
def test_two_workers_send_each_email_once():
    now = timezone.now()
    for number in range(30):
        write(f"a{number}@example.org", at=now)
    failures = []

    def work():
        try:
            while sender.send_due(now) is not None:
                if not OutgoingEmail.objects.filter(due_at__lte=now).exists():
                    break
        except Exception as error:
            failures.append(error)
        finally:
            connections.close_all()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(PATIENCE_S)
    assert not failures
    assert len(sent()) == len(set(sent())) == 30


def test_an_email_is_leased_to_one_worker_at_a_time(monkeypatch):
    """A second worker leases the email after the first one has read it."""
    email, first, leased = write(), QuerySet.first, []

    def read_before_the_other(rows):
        found = first(rows)
        monkeypatch.setattr(QuerySet, "first", first)
        leased.append(sender._lease(NOW))
        return found

    monkeypatch.setattr(QuerySet, "first", read_before_the_other)
    assert sender._lease(NOW) is None
    assert leased == [email]
    email.refresh_from_db()
    assert email.attempts == 1


# --- Cleanup -------------------------------------------------------------------------------------


def test_old_emails_are_deleted(capsys):
    now = timezone.now()
    write(at=now - timedelta(days=31))
    kept = write(at=now - timedelta(days=29))
    call_command("forgetemails", "--days", "30")
    assert "1 emails forgotten" in capsys.readouterr().out
    assert list(OutgoingEmail.objects.all()) == [kept]


def test_emails_that_may_still_wait_are_not_deleted():
    waiting = write(at=timezone.now() - sender.TOO_OLD)
    with pytest.raises(CommandError):
        call_command("forgetemails", "--days", "3")
    call_command("forgetemails", "--days", "4")
    assert OutgoingEmail.objects.get() == waiting
