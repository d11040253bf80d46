"""Emails are sent in a thread: a hanging mail server delays neither deadlines nor shutdown."""

import asyncio
import time

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts.mail import sender
from accounts.models import OutgoingEmail
from config.background import lateness, mail_thread, slow_work_thread, worker
from config.background.mail_thread import MailThread
from games.services import heartbeat
from tests.accounts.mail import transports
from tests.support.patience import PATIENCE_S


@pytest.fixture(autouse=True)
def stuck(settings, monkeypatch):
    """Use a mail server that does not answer before it is released."""
    settings.SENDS_EMAILS = True
    settings.EMAIL_TRANSPORT = "tests.accounts.mail.transports.Stuck"
    transports.Recording.sent = []
    transports.Stuck.reached.clear()
    transports.Stuck.go_on.clear()
    monkeypatch.setattr(mail_thread, "ROUND_S", 0.01)
    yield transports.Stuck
    transports.Stuck.go_on.set()


class Driver:
    """A bot driver that does nothing."""

    async def start(self):
        pass

    async def drive(self, now):
        return None

    async def stop(self):
        pass


def write_email():
    now = timezone.now()
    return OutgoingEmail.objects.create(
        to="annika@example.org", subject="Hello", text="Text", created_at=now, due_at=now
    )


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
async def test_deadlines_are_kept_while_a_mail_server_hangs(stuck, monkeypatch):
    """A send in the database executor, or inside a transaction, would hold the deadlines up."""
    await sync_to_async(write_email)()
    monkeypatch.setattr(worker, "BotDriver", Driver)
    rounds = []
    settle = worker.settle_due

    def settle_again(now):
        rounds.append(now)
        settle(now)
        return now

    monkeypatch.setattr(worker, "settle_due", settle_again)
    stop = asyncio.Event()
    loop = asyncio.create_task(worker.run(stop, serves=True))
    assert await asyncio.to_thread(stuck.reached.wait, PATIENCE_S)
    before = len(rounds)
    beat_before = await sync_to_async(heartbeat.find_last_beat)(heartbeat.WEB)
    deadline = time.monotonic() + PATIENCE_S
    beat_after = beat_before
    while time.monotonic() < deadline:
        if len(rounds) >= before + 3 and beat_after > beat_before:
            break
        await asyncio.sleep(0.05)
        beat_after = await sync_to_async(heartbeat.find_last_beat)(heartbeat.WEB)
    assert len(rounds) >= before + 3
    assert beat_after > beat_before
    assert not stuck.sent
    stuck.go_on.set()
    while not stuck.sent and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    stop.set()
    await asyncio.wait_for(loop, PATIENCE_S)
    assert [message.to for message in stuck.sent] == [["annika@example.org"]]


@pytest.mark.django_db(transaction=True)
def test_worker_ends_without_waiting_for_a_hanging_mail_server(stuck, monkeypatch):
    write_email()
    monkeypatch.setattr(slow_work_thread, "LAST_WAIT_S", 0.05)
    thread = MailThread()
    thread.start()
    assert stuck.reached.wait(PATIENCE_S)
    thread.stop()
    assert thread._thread.is_alive()
    assert thread._thread.daemon  # the process may end nevertheless
    stuck.go_on.set()
    thread._thread.join(PATIENCE_S)
    assert not thread._thread.is_alive()


def test_failed_round_is_logged_and_counted_and_the_next_follows(monkeypatch, caplog):
    rounds = []
    failed = lateness.FAILED.labels(sender.EMAILS)
    before = failed._value.get()

    def send_due(now):
        rounds.append(now)
        if len(rounds) == 1:
            raise OSError("the database is away")
        thread._stop.set()

    monkeypatch.setattr(sender, "send_due", send_due)
    monkeypatch.setattr(slow_work_thread, "close_old_connections", lambda: None)
    thread = MailThread()
    thread.start()
    thread._thread.join(PATIENCE_S)
    assert len(rounds) == 2
    assert "the database is away" in caplog.text
    assert "emails failed" in caplog.text  # config/README.md, "Figures and alerts", has this text
    assert failed._value.get() == before + 1


def test_site_without_emails_starts_no_mail_thread(settings):
    settings.SENDS_EMAILS = False
    thread = MailThread()
    thread.start()
    assert not thread._thread.is_alive()
    thread.stop()
