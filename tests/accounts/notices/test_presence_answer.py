"""An open page answers that its member is here, and the notice counts as seen."""

from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from accounts.models import EmailWish, Notice, NoticeKind, User
from accounts.notices import services
from accounts.notices.services import Event
from accounts.shared.database_clock import CLOCK
from accounts.shared.transactions import write_transaction
from tests.accounts.factories import UserFactory
from tests.accounts.page_client import PageSocket, signed_in

pytestmark = [pytest.mark.asyncio, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def _hosts(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]


@pytest.fixture
def anna(transactional_db: None) -> User:
    user = UserFactory(username="anna77", member=True)
    EmailWish.objects.create(user=user, kind=NoticeKind.JOINED)
    return user


@sync_to_async
def tell(user: User) -> None:
    expires_at = CLOCK.now() + timedelta(minutes=5)
    with write_transaction():
        event = Event(NoticeKind.JOINED, "games:match", "a" * 12, expires_at)
        services.tell(user.pk, event, CLOCK.now())


@sync_to_async
def state() -> str:
    return Notice.objects.get().state


async def test_a_page_that_answers_makes_the_notice_seen(anna: User) -> None:
    page = await PageSocket(await signed_in(anna)).greeted()
    await tell(anna)
    asked = await page.receive()
    public_id = await sync_to_async(lambda: Notice.objects.get().public_id)()
    assert asked == {"t": "nudge", "what": "notice", "id": public_id}
    assert await state() == Notice.State.ASKED
    await page.say(t="here", id=public_id)
    assert await page.is_open()  # frames are handled in order, so `here` was too
    assert await state() == Notice.State.SEEN
    await page.leave()


async def test_a_malformed_answer_gets_the_error_unreadable(anna: User) -> None:
    page = await PageSocket(await signed_in(anna)).greeted()
    for id in ("", "a" * 13, 7, None, "../../../.."):
        await page.say(t="here", id=id)
        assert await page.receive() == {"t": "error", "code": "unreadable"}
    await page.leave()
