"""Webhooks are signed, bounded in size and applied once; forged ones are refused and logged."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections
from django.test import Client

from shop.models import PaymentEvent
from shop.payments import debts
from shop.payments.providers import sandbox
from shop.payments.webhooks import MAX_BODY
from tests.shop.payments.factories import (
    WEBHOOK,
    available,
    bank,
    begun,
    count_top_ups,
    paid,
    paid_facts,
    post,
    refunded,
    told,
)
from tests.support.lengths import length
from tests.support.patience import new_barrier
from tests.wallet.factories import assert_books_balance, player

pytestmark = pytest.mark.django_db
MESSAGES = 50  # number of messages about one payment; a multiple of THREADS
THREADS = length(10, 50)  # number of messages at the same moment


@pytest.fixture
def payment():
    return begun(player("buyer5", credits=0))


def message(payment, event_id="one", **more):
    return sandbox.message_of(event_id, "pay", paid_facts(payment, **more))


def test_signed_message_needs_no_cookie_and_works_once(payment):
    body = message(payment)
    assert [post(body, bank().sign(body)) for _ in range(3)] == [200] * 3
    assert (available(payment.user), count_top_ups(), PaymentEvent.objects.count()) == (1000, 1, 1)
    assert_books_balance()


def test_forged_messages_are_refused_and_logged_without_their_content(payment, caplog):
    body = message(payment)
    good = bank().sign(body)
    forged = {
        "unsigned": (body, ""),
        "another key": (body, sandbox.Gateway({"secret": "x", "currencies": ()}).sign(body)),
        "another body": (body.replace(b"49900", b"49901"), good),
        "old": (body, bank().sign(body, at=1)),
        "no number": (body, f"x{good}"),
        "no json": (b"{", bank().sign(b"{")),
        "no facts": (b'{"id": "1"}', bank().sign(b'{"id": "1"}')),
        "not utf-8": (b"\xff", bank().sign(b"\xff")),
    }
    for name, (text, signature) in forged.items():
        caplog.clear()
        assert post(text, signature) == 400, name
        assert "refused a webhook from 127.0.0.1" in caplog.text
        assert good.partition(".")[2] not in caplog.text
        assert payment.public_id not in caplog.text
    assert (available(payment.user), PaymentEvent.objects.count()) == (0, 0)


def test_too_large_messages_and_unknown_providers_are_refused(payment):
    body = b" " * (MAX_BODY + 1)
    assert post(body, bank().sign(body)) == 413
    assert post(b"{}", "", "/shop/webhooks/stripe/") == 404
    assert Client().get(WEBHOOK).status_code == 405


def test_message_about_an_unknown_payment_is_accepted_and_ignored(payment):
    payment.public_id = "0" * 12
    body = message(payment)
    assert post(body, bank().sign(body)) == 200
    assert not PaymentEvent.objects.exists()


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_same", [True, False], ids=["one event", "an event each"])
def test_concurrent_messages_have_one_effect(is_same):
    payment = begun(player("buyer5", credits=0))
    barrier = new_barrier(THREADS)

    def send(number):
        try:
            barrier.wait()
            body = message(payment, "one" if is_same else f"event {number}")
            return post(body, bank().sign(body))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(send, range(MESSAGES)))
    assert answers == [200] * MESSAGES
    assert (available(payment.user), count_top_ups()) == (1000, 1)
    assert PaymentEvent.objects.count() == (1 if is_same else MESSAGES)
    assert_books_balance()


@pytest.mark.both
@pytest.mark.django_db(transaction=True)
def test_payments_and_refunds_of_one_member_at_once_do_not_deadlock():
    buyer = player("buyer5", credits=0)
    old = [paid(buyer, 100) for _ in range(THREADS // 2)]
    new = [begun(buyer, 100) for _ in range(THREADS // 2)]
    barrier = new_barrier(THREADS)

    def settle(payment):
        try:
            barrier.wait()
            told(payment, refunded(payment) if payment.is_paid else paid_facts(payment))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(settle, [each for pair in zip(old, new, strict=True) for each in pair]))
    assert (available(buyer), debts.owed_by(buyer.pk)) == (100 * len(new), 0)
    assert_books_balance()
