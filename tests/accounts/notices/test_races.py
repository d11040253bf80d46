"""Concurrent workers send each notice once, or not at all if a page has answered first."""

from datetime import timedelta
from threading import Thread

import pytest
from django.db import connections
from django.db.models import QuerySet

from accounts.closing import services as closing
from accounts.models import Notice, NoticeKind, OutgoingEmail, PushDelivery
from accounts.notices import choices, delivery, services
from accounts.notices.services import ANSWER_TIME, Event
from accounts.sessions import services as sessions
from accounts.shared.database_clock import CLOCK
from accounts.shared.transactions import write_transaction
from tests.accounts.factories import member, session_key
from tests.accounts.notices.push_service import PushedBrowser, subscribed
from tests.support.races import LOCK_WAIT_S, THREADS, call_together, one_after_the_other

pytestmark = pytest.mark.django_db(transaction=True)

NOTICES = 6


@pytest.fixture
def owner():
    return member("owner")


def tell(user, number=0):
    expires_at = CLOCK.now() + timedelta(minutes=5)
    event = Event(NoticeKind.JOINED, "games:match", f"match{number:07}", expires_at)
    with write_transaction():
        services.tell(user.pk, event, CLOCK.now())


def test_concurrent_workers_send_each_notice_once(service, owner):
    browser = subscribed(service, owner)
    choices.choose_emails(owner.pk, ["JOINED"])
    for number in range(NOTICES):
        tell(owner, number)
    now = CLOCK.now() + ANSWER_TIME

    def work():
        services.settle_due(now)
        delivery.send_due(now)

    call_together(*[work] * THREADS)
    delivery.send_due(now)  # sends the rows written after the last worker's read
    assert len({message["path"] for message in browser.messages()}) == NOTICES
    assert len(browser.messages()) == NOTICES
    assert OutgoingEmail.objects.filter(user=owner).count() == NOTICES
    assert not PushDelivery.objects.filter(due_at__isnull=False).exists()


def test_the_same_event_told_by_concurrent_threads_is_one_notice(service, owner):
    browser = subscribed(service, owner)
    call_together(*[lambda: tell(owner)] * THREADS)
    now = CLOCK.now() + ANSWER_TIME
    services.settle_due(now)
    delivery.send_due(now)
    assert len(browser.messages()) == 1


def test_a_notice_answered_while_a_worker_settles_it_is_either_sent_or_seen(service, owner):
    browser = subscribed(service, owner)
    for number in range(NOTICES):
        tell(owner, number)
        notice = Notice.objects.latest("pk")
        now = CLOCK.now() + ANSWER_TIME
        call_together(
            lambda: services.settle_due(now),  # noqa: B023
            lambda: services.note_here(owner.pk, notice.public_id),  # noqa: B023
        )
        delivery.send_due(now)
    sent = Notice.objects.filter(state=Notice.State.SENT).count()
    assert len(browser.messages()) == sent
    assert sent + Notice.objects.filter(state=Notice.State.SEEN).count() == NOTICES


def given_by(browser):
    fields = browser.fields()
    return choices.Browser(fields["endpoint"], fields["p256dh"], fields["auth"])


def test_concurrent_subscriptions_of_one_browser_are_stored_once(service, owner):
    browser = subscribed(service, owner, "CHALLENGE")
    given, key = given_by(browser), session_key(owner)
    call_together(
        *[
            lambda: choices.subscribe(owner.pk, key, given, ["JOINED"], CLOCK.now())
            for _ in range(THREADS)
        ]
    )
    [device] = choices.devices_of(owner.pk)
    assert device.kinds == ["JOINED", "CHALLENGE"]


def test_a_browser_that_is_removed_while_it_subscribes_again_is_removed_afterwards(
    service, owner, monkeypatch
):
    """The row that `bulk_create` finds is locked, so that nobody deletes it before it is read."""
    browser, key = subscribed(service, owner), session_key(owner)
    [device] = choices.devices_of(owner.pk)
    removed = []

    def remove():
        removed.append(choices.remove(owner.pk, device.public_id))
        connections.close_all()

    other, create = Thread(target=remove), QuerySet.bulk_create

    def remove_after(rows, *args, **options):
        made = create(rows, *args, **options)
        other.start()
        other.join(LOCK_WAIT_S)
        return made

    monkeypatch.setattr(QuerySet, "bulk_create", remove_after)
    choices.subscribe(owner.pk, key, given_by(browser), ["JOINED"], CLOCK.now())
    other.join()
    assert removed == [True]
    assert not choices.devices_of(owner.pk)


def test_a_browser_that_subscribes_while_the_account_is_closed_is_refused(service, owner):
    given, key = given_by(PushedBrowser(service, "late")), session_key(owner)
    code = one_after_the_other(
        lambda: closing.close(owner.pk, CLOCK.now()),
        lambda: choices.subscribe(owner.pk, key, given, ["JOINED"], CLOCK.now()),
    )
    assert code == "closed_account"
    assert not choices.devices_of(owner.pk)


@pytest.mark.parametrize(("is_late", "refusal"), [(True, "signed_out"), (False, "")])
def test_a_browser_that_subscribes_while_it_is_signed_out_gets_no_notices(
    service, owner, is_late, refusal
):
    """Otherwise the next person at the browser would get notices of the member."""
    given, key = given_by(PushedBrowser(service, "late")), session_key(owner)
    acts = [
        lambda: choices.subscribe(owner.pk, key, given, ["JOINED"], CLOCK.now()),
        lambda: sessions.end(key),
    ]
    assert one_after_the_other(*(reversed(acts) if is_late else acts)) == refusal
    assert not choices.devices_of(owner.pk)
