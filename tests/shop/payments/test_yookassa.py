"""YooKassa through its library, against a fake YooKassa on loopback."""

from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import User
from accounts.shared.refusals import Refused
from shop.models import Payment
from shop.payments import checks, refunds
from shop.payments.providers import find, yookassa
from shop.payments.providers.port import Rejected, Unavailable
from tests.accounts.factories import sign_in, staff
from tests.shop.payments.factories import NOW, available, begun, count_top_ups
from tests.shop.payments.fake_providers import FakeYooKassa
from tests.wallet.factories import assert_books_balance, player

pytestmark = pytest.mark.django_db
URL = "/shop/webhooks/yookassa/"
THEIRS = "185.71.76.5"  # an address of YooKassa
State = Payment.State
REFUND = ("POST", "/v3/refunds")


@pytest.fixture
def kassa(settings):
    fake = FakeYooKassa()
    settings.PAYMENT_PROVIDERS = {"yookassa": fake.keys()}
    yield fake
    fake.stop()
    assert_books_balance()


@pytest.fixture
def buyer():
    return player("buyer5", credits=0)


@pytest.fixture
def payment(kassa, buyer):
    return begun(buyer)


def send(body, address=THEIRS):
    client = Client(enforce_csrf_checks=True, REMOTE_ADDR=address)
    return client.post(URL, body, content_type="application/json").status_code


def tell(payment, kind, about):
    assert send(FakeYooKassa.message(kind, about)) == 200
    payment.refresh_from_db()


def early(payment, kind, about):
    """Send a message of a change that YooKassa's own answer does not show yet."""
    assert send(FakeYooKassa.message(kind, about)) == 503
    payment.refresh_from_db()


def test_payment_is_opened_with_its_price_key_and_tax_receipt(kassa, payment):
    assert payment.checkout_url.startswith("https://yoomoney.ru/")
    method, path, key, fields = kassa.requests[0]
    assert (method, path, key) == ("POST", "/v3/payments", payment.public_id)
    assert fields["amount"] == {"value": "499.00", "currency": "RUB"}
    assert fields["metadata"]["payment"] == payment.public_id
    assert fields["receipt"]["customer"]["email"] == payment.user.email


def test_member_without_an_email_is_asked_for_it_where_the_tax_receipt_needs_one(kassa, buyer):
    """YooKassa would refuse the payment, and the page would say that YooKassa does not answer."""
    User.objects.filter(pk=buyer.pk).update(email="")
    buyer.refresh_from_db()
    with pytest.raises(Refused) as refusal:
        begun(buyer)
    assert refusal.value.code == "email_missing"
    assert not Payment.objects.exists()
    browser = sign_in(Client(), buyer)
    text = browser.get("/shop/top-up/").content.decode()
    assert "In this currency the receipt comes by email." in text
    assert 'href="/account/email/add/"' in text
    assert 'name="pack"' not in text


def test_without_tax_receipts_no_email_is_needed(kassa, buyer, settings):
    settings.PAYMENT_PROVIDERS = {"yookassa": {**kassa.keys(), "vat_code": None}}
    User.objects.filter(pk=buyer.pk).update(email="")
    buyer.refresh_from_db()
    assert begun(buyer).checkout_url


def test_state_is_read_from_yookassa_and_not_from_the_message(kassa, payment, buyer):
    about = dict(kassa.payments[payment.reference], status="succeeded")
    early(payment, "payment.succeeded", about)  # forged: YooKassa itself says "pending"
    assert (payment.state, available(buyer)) == (State.PENDING, 0)
    kassa.pay(payment.reference)
    tell(payment, "payment.succeeded", about)
    assert (payment.state, available(buyer), count_top_ups()) == (State.PAID, 1000, 1)


def test_repeated_messages_and_a_later_check_credit_once(kassa, payment, buyer):
    kassa.pay(payment.reference)
    for _ in range(2):
        tell(payment, "payment.succeeded", kassa.payments[payment.reference])
    checks.settle_due(NOW + checks.WAITS[-1])
    assert (payment.state, available(buyer), count_top_ups()) == (State.PAID, 1000, 1)


@pytest.mark.parametrize(
    ("reason", "state"),
    [("expired_on_confirmation", State.EXPIRED), ("insufficient_funds", State.FAILED)],
)
def test_canceled_payment_brings_nothing(kassa, payment, buyer, reason, state):
    kassa.cancel(payment.reference, reason)
    tell(payment, "payment.canceled", kassa.payments[payment.reference])
    assert (payment.state, available(buyer)) == (state, 0)


@pytest.mark.parametrize("is_notified", [True, False], ids=["by a message", "by a check"])
def test_payment_made_at_yookassa_after_it_expired_here_is_credited(
    kassa, payment, buyer, is_notified
):
    """YooKassa counts its own hour, which begins a moment after ours."""
    check(payment, payment.expires_at)
    assert (payment.state, available(buyer)) == (State.EXPIRED, 0)
    kassa.pay(payment.reference)
    if is_notified:
        tell(payment, "payment.succeeded", kassa.payments[payment.reference])
    else:
        check(payment, payment.check_at)
    assert (payment.state, payment.check_at) == (State.PAID, None)
    assert (available(buyer), count_top_ups()) == (1000, 1)


def test_payment_that_yookassa_closes_after_it_expired_here_needs_no_more_checks(
    kassa, payment, buyer
):
    check(payment, payment.expires_at)
    kassa.cancel(payment.reference, "expired_on_confirmation")
    check(payment, payment.check_at)
    assert (payment.state, payment.check_at, available(buyer)) == (State.EXPIRED, None, 0)


def test_messages_from_elsewhere_or_about_unknown_payments_are_refused(kassa, payment, buyer):
    kassa.pay(payment.reference)
    body = FakeYooKassa.message("payment.succeeded", kassa.payments[payment.reference])
    for address in ("127.0.0.1", "203.0.113.5", "2a02:5180:1::1"):
        assert send(body, address) == 400, address
    for about in ({"id": "../me"}, {"id": "0" * 36}, {}):
        assert send(FakeYooKassa.message("payment.succeeded", about)) == 400, about
    for body in (b"", b"{", b"[]", b"\xff"):
        assert send(body) == 400, body
    assert send(FakeYooKassa.message("payout.succeeded", {"id": "1"})) == 200
    assert available(buyer) == 0


def test_refunds_in_parts_and_by_staff_add_up(kassa, payment, buyer):
    kassa.pay(payment.reference)
    tell(payment, "payment.succeeded", kassa.payments[payment.reference])
    kassa.payments[payment.reference]["refunded_amount"] = {"value": "99.80", "currency": "RUB"}
    tell(payment, "refund.succeeded", refund_of(payment))
    assert (payment.state, available(buyer)) == (State.PAID, 800)
    assert refunds.ask(payment, staff("person1").pk, "Bought twice", NOW)
    checks.settle_due(NOW)
    payment.refresh_from_db()
    assert (payment.state, available(buyer)) == (State.REFUNDED, 0)
    (made,) = [request for request in kassa.requests if request[1] == "/v3/refunds"]
    assert made[3]["amount"]["value"] == "399.20"
    receipt = made[3]["receipt"]
    assert receipt["customer"]["email"] == buyer.email
    (first,) = kassa.requests[0][3]["receipt"]["items"]
    assert receipt["items"] == [{**first, "amount": made[3]["amount"]}]


def refund_of(payment, value="99.80"):
    amount = {"value": value, "currency": "RUB"}
    return {"id": "1", "payment_id": payment.reference, "amount": amount}


def test_rest_is_not_refunded_without_an_email_for_its_receipt(kassa, payment, buyer):
    kassa.payments[payment.reference]["refunded_amount"] = {"value": "99.80", "currency": "RUB"}
    User.objects.filter(pk=buyer.pk).update(email="")
    pay_and_ask_refund(kassa, payment)
    assert (payment.state, payment.refund_error) == (State.PAID, "invalid_request")


def test_refund_of_a_rest_under_way_outlasts_a_change_of_the_email(kassa, payment, buyer):
    kassa.refunding = ("pending", "")
    kassa.payments[payment.reference]["refunded_amount"] = {"value": "99.80", "currency": "RUB"}
    pay_and_ask_refund(kassa, payment)
    User.objects.filter(pk=buyer.pk).update(email="new@example.org")
    check(payment, payment.check_at)
    assert (payment.refund_error, len(kassa.refunds)) == ("", 1)
    (name,) = kassa.refunds
    kassa.end_refund(name, "succeeded")
    check(payment, payment.check_at)
    assert payment.state == State.REFUNDED


def test_rest_of_a_payment_is_refunded_without_a_receipt_where_none_is_needed(
    kassa, buyer, settings
):
    kassa.vat_code = None
    settings.PAYMENT_PROVIDERS = {"yookassa": kassa.keys()}
    payment = begun(buyer)
    kassa.payments[payment.reference]["refunded_amount"] = {"value": "99.80", "currency": "RUB"}
    pay_and_ask_refund(kassa, payment)
    assert payment.state == State.REFUNDED
    (made,) = kassa.refunds.values()
    assert made["amount"]["value"] == "399.20"
    assert "receipt" not in made


def test_message_before_yookassas_own_answer_has_to_come_again_and_ends_no_late_checks(
    kassa, payment, buyer
):
    """The member pays at the last moment: YooKassa's answers still call the payment open."""
    check(payment, payment.expires_at)
    assert payment.state == State.EXPIRED
    due_at = payment.check_at
    for kind in ("payment.succeeded", "payment.canceled"):
        early(payment, kind, kassa.payments[payment.reference])
        assert (payment.state, payment.check_at) == (State.EXPIRED, due_at)
    kassa.pay(payment.reference)
    check(payment, due_at)
    assert (payment.state, available(buyer)) == (State.PAID, 1000)


def test_message_before_yookassas_answer_shows_the_refund_has_to_come_again(kassa, payment, buyer):
    kassa.pay(payment.reference)
    tell(payment, "payment.succeeded", kassa.payments[payment.reference])
    early(payment, "refund.succeeded", refund_of(payment))
    assert available(buyer) == 1000
    kassa.payments[payment.reference]["refunded_amount"] = {"value": "99.80", "currency": "RUB"}
    tell(payment, "refund.succeeded", refund_of(payment))
    assert available(buyer) == 800


@pytest.mark.parametrize("value", ["", "4,99", "499.001", "NaN", None])
def test_refund_message_with_an_unreadable_amount_is_refused(kassa, payment, value):
    kassa.pay(payment.reference)
    body = FakeYooKassa.message("refund.succeeded", refund_of(payment, value))
    assert send(body) == 400


def pay_and_ask_refund(kassa, payment):
    """Pay, ask for a refund as staff do, and let the worker request it."""
    kassa.pay(payment.reference)
    tell(payment, "payment.succeeded", kassa.payments[payment.reference])
    assert refunds.ask(payment, None, "Bought twice", NOW)
    check(payment, NOW)


def check(payment, now):
    checks.settle_due(now)
    payment.refresh_from_db()


def keys_of_refunds(kassa):
    return [key for method, path, key, _ in kassa.requests if (method, path) == REFUND]


def test_canceled_refund_is_shown_and_may_be_requested_again(kassa, payment, buyer):
    kassa.refunding = ("canceled", "insufficient_funds")
    pay_and_ask_refund(kassa, payment)
    assert (payment.refund_error, payment.check_at) == ("insufficient_funds", None)
    assert (payment.state, available(buyer)) == (State.PAID, 1000)
    kassa.refunding = ("succeeded", "")
    again = NOW + timedelta(days=1)
    assert refunds.ask(payment, None, "Bought twice", again)
    check(payment, again)
    assert (payment.state, available(buyer)) == (State.REFUNDED, 0)
    first, second = keys_of_refunds(kassa)
    assert first != second
    assert len(second) <= 64  # YooKassa's limit


@pytest.mark.parametrize(
    ("status", "error", "state"),
    [("succeeded", "", State.REFUNDED), ("canceled", "general_decline", State.PAID)],
)
def test_pending_refund_is_followed_to_its_end(kassa, payment, status, error, state):
    kassa.refunding = ("pending", "")
    pay_and_ask_refund(kassa, payment)
    assert (payment.awaits_refund, payment.refund_error) == (True, "")
    check(payment, payment.check_at)
    kassa.end_refund(*kassa.refunds, status, error)
    check(payment, payment.check_at)
    assert (payment.state, payment.refund_error, payment.check_at) == (state, error, None)
    assert len(kassa.refunds) == len(set(keys_of_refunds(kassa))) == 1


def test_yookassa_that_is_down_is_unavailable_and_its_messages_get_503(kassa, payment):
    body = FakeYooKassa.message("payment.succeeded", kassa.payments[payment.reference])
    kassa.fails = True
    assert send(body) == 503
    kassa.stop()
    try:
        with pytest.raises(Unavailable):
            find("yookassa").find(payment.reference)
    finally:
        kassa.__init__()  # start a server again, which the fixture stops
    with pytest.raises(Rejected):
        find("yookassa").find("not-an-id")


@pytest.mark.parametrize("value", ["", "4,99", "499.001", "NaN", None])
def test_an_answer_whose_amount_cannot_be_read_is_asked_for_again(kassa, payment, buyer, value):
    kassa.pay(payment.reference)
    about = kassa.payments[payment.reference]
    readable, about["amount"] = about["amount"], {"value": value, "currency": "RUB"}
    assert send(FakeYooKassa.message("payment.succeeded", about)) == 503
    check(payment, payment.expires_at)
    assert (payment.state, available(buyer)) == (State.PENDING, 0)
    about["amount"] = readable
    check(payment, payment.check_at)
    assert (payment.state, available(buyer)) == (State.PAID, 1000)


@pytest.mark.parametrize("field", ["amount", "refunded_amount"])
def test_a_refund_waits_while_an_amount_cannot_be_read(kassa, payment, field):
    kassa.pay(payment.reference)
    tell(payment, "payment.succeeded", kassa.payments[payment.reference])
    kassa.payments[payment.reference][field] = {"value": "?", "currency": "RUB"}
    with pytest.raises(Unavailable):
        find("yookassa").refund(payment.public_id, payment.reference, "1", "")
    assert not kassa.refunds


def test_trusted_networks_are_those_of_the_library():
    assert yookassa.is_trusted(THEIRS)
    assert yookassa.is_trusted("2a02:5180:0:1509::7")
    assert not yookassa.is_trusted("")
