"""The worker sends notices in a thread, so that a slow push service does not delay the site."""

import asyncio
import time
from datetime import timedelta

import pytest
from asgiref.sync import sync_to_async

from accounts.models import Notice, NoticeKind, PushDelivery
from accounts.notices import services
from accounts.notices.services import Event
from accounts.shared.database_clock import CLOCK
from accounts.shared.transactions import write_transaction
from config.background import worker
from config.background.push_thread import PushThread
from tests.accounts.factories import member
from tests.accounts.notices.conftest import service  # noqa: F401
from tests.accounts.notices.push_service import subscribed
from tests.config.background.test_mail_thread import Driver
from tests.support.patience import PATIENCE_S


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
async def test_the_worker_sends_a_notice_of_its_own_process(service, monkeypatch):  # noqa: F811
    """The loop asks the member's open pages and hands the notice to the thread, which sends it."""
    monkeypatch.setattr(services, "ANSWER_TIME", timedelta(milliseconds=50))
    monkeypatch.setattr(worker, "BotDriver", Driver)
    owner = await sync_to_async(member)("owner")
    browser = await sync_to_async(subscribed)(service, owner)
    stop = asyncio.Event()
    loop = asyncio.create_task(worker.run(stop, serves=True))

    @sync_to_async
    def tell():
        expires_at = CLOCK.now() + timedelta(minutes=5)
        with write_transaction():
            event = Event(NoticeKind.JOINED, "games:match", "a" * 12, expires_at)
            services.tell(owner.pk, event, CLOCK.now())

    @sync_to_async
    def is_marked():
        return PushDelivery.objects.filter(sent_at__isnull=False).exists()

    await tell()
    deadline = time.monotonic() + PATIENCE_S
    while not await is_marked() and time.monotonic() < deadline:
        await asyncio.sleep(0.05)
    stop.set()
    await asyncio.wait_for(loop, PATIENCE_S)
    assert [message["kind"] for message in browser.messages()] == ["JOINED"]
    assert (await sync_to_async(Notice.objects.get)()).state == Notice.State.SENT


def test_site_without_a_key_starts_no_push_thread(settings):
    settings.VAPID_PRIVATE_KEY = ""
    thread = PushThread()
    thread.start()
    assert not thread._thread.is_alive()
    thread.stop()
