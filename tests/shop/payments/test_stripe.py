"""Stripe Checkout through its library, against a Stripe on loopback."""

import pytest
from django.test import Client

from shop.models import Payment
from shop.payments import checks, ledger, refunds
from shop.payments.providers import find
from shop.payments.providers.port import Rejected, Unavailable
from tests.accounts.factories import staff
from tests.shop.payments.factories import NOW, available, begun, top_ups
from tests.shop.payments.fake_providers import FakeStripe
from tests.wallet.factories import assert_books_balance, player

pytestmark = pytest.mark.django_db
URL = "/shop/webhooks/stripe/"
State = Payment.State


@pytest.fixture
def stripe(settings):
    fake = FakeStripe()
    settings.PAYMENT_PROVIDERS = {"stripe": fake.keys()}
    yield fake
    fake.stop()
    assert_books_balance()


@pytest.fixture
def buyer():
    return player("buyer5", credits=0)


@pytest.fixture
def payment(stripe, buyer):
    return begun(buyer)


def send(body, signature=None):
    headers = {"Stripe-Signature": signature or FakeStripe.signature(body)}
    client = Client(enforce_csrf_checks=True, headers=headers)
    return client.post(URL, body, content_type="application/json").status_code


def tell(payment, kind, about, name=""):
    assert send(FakeStripe.event(kind, about, name)) == 204
    payment.refresh_from_db()


def test_checkout_asks_for_the_price_and_leads_to_stripe(stripe, payment):
    assert payment.checkout_url.startswith("https://checkout.stripe.com/")
    method, path, key, fields = stripe.requests[0]
    assert (method, path, key) == (
        "POST",
        "/v1/checkout/sessions",
        f"checkout:{payment.public_id}",
    )
    assert fields["line_items[0][price_data][unit_amount]"] == "49900"
    assert fields["payment_intent_data[metadata][payment]"] == payment.public_id
    assert fields["customer_email"] == payment.user.email


def test_paid_refunded_and_doubled_events_in_any_order_end_the_same(stripe, payment, buyer):
    name = payment.reference
    session = stripe.pay(name)
    tell(payment, "charge.refunded", stripe.charge(name, 49_900), "evt_refund")
    assert (payment.state, available(buyer)) == (State.PENDING, 0)
    tell(payment, "checkout.session.completed", session, "evt_paid")
    assert (payment.state, available(buyer), top_ups()) == (State.REFUNDED, 0, 0)
    tell(payment, "checkout.session.completed", session, "evt_paid")
    tell(payment, "checkout.session.expired", {**session, "payment_status": "unpaid"})
    assert (payment.state, available(buyer), top_ups()) == (State.REFUNDED, 0, 0)


def test_late_doubled_events_credit_once(stripe, payment, buyer):
    tell(payment, "checkout.session.expired", stripe.expire(payment.reference))
    assert payment.state == State.EXPIRED
    session = stripe.pay(payment.reference)
    for _ in range(3):
        tell(payment, "checkout.session.completed", session, "evt_paid")
    tell(payment, "checkout.session.async_payment_succeeded", session)
    assert (payment.state, available(buyer), top_ups()) == (State.PAID, 1000, 1)


def test_unpaid_completion_waits(stripe, payment, buyer):
    session = {**stripe.sessions[payment.reference], "status": "complete"}
    tell(payment, "checkout.session.completed", session)
    assert (payment.state, available(buyer)) == (State.PENDING, 0)
    tell(payment, "checkout.session.async_payment_failed", session)
    assert payment.state == State.FAILED


def test_disputes_follow_the_money(stripe, payment, buyer):
    name = payment.reference
    tell(payment, "checkout.session.completed", stripe.pay(name))
    tell(payment, "charge.dispute.created", stripe.dispute(name, "warning_needs_response"))
    assert available(buyer) == 1000
    tell(payment, "charge.dispute.funds_withdrawn", stripe.dispute(name, "needs_response"))
    assert (payment.state, available(buyer)) == (State.DISPUTED, 0)
    tell(payment, "charge.dispute.closed", stripe.dispute(name, "won"))
    assert (payment.state, available(buyer), ledger.owed_by(buyer.pk)) == (State.PAID, 1000, 0)


def test_forged_messages_are_refused(stripe, payment, buyer):
    body = FakeStripe.event("checkout.session.completed", stripe.pay(payment.reference))
    for signature in (
        "x",
        "t=1,v1=0",
        FakeStripe.signature(body, secret="whsec_other"),
        FakeStripe.signature(body, age_s=3600),
        FakeStripe.signature(body + b" "),
    ):
        assert send(body, signature) == 400, signature
    nonsense = b'{"object": "event"}'
    assert send(nonsense) == 400
    assert available(buyer) == 0


def test_events_of_other_goods_of_the_account_are_ignored(stripe, payment):
    other = {**stripe.sessions[payment.reference], "metadata": {}}
    assert send(FakeStripe.event("checkout.session.completed", other)) == 204
    assert send(FakeStripe.event("customer.created", {"object": "customer"})) == 204
    assert not payment.events.exists()


def test_lost_event_is_found_by_the_worker(stripe, payment, buyer):
    stripe.pay(payment.reference)
    checks.settle_due(payment.check_at)
    payment.refresh_from_db()
    assert (payment.state, available(buyer)) == (State.PAID, 1000)


def test_refund_by_staff_goes_through_stripe_once(stripe, payment, buyer):
    tell(payment, "checkout.session.completed", stripe.pay(payment.reference))
    assert refunds.ask(payment, staff("person1").pk, "Bought twice", NOW)
    checks.settle_due(NOW)
    payment.refresh_from_db()
    assert (payment.state, available(buyer)) == (State.REFUNDED, 0)
    tell(payment, "charge.refunded", stripe.charge(payment.reference, 49_900))
    made = [request for request in stripe.requests if request[:2] == ("POST", "/v1/refunds")]
    assert [request[2] for request in made] == [f"refund:{payment.public_id}:1795339800000000"]


@pytest.mark.parametrize("status", ["failed", "canceled", "requires_action"])
def test_refund_that_stripe_did_not_make_is_shown(stripe, payment, buyer, status):
    tell(payment, "checkout.session.completed", stripe.pay(payment.reference))
    stripe.refunding = status
    assert refunds.ask(payment, None, "Bought twice", NOW)
    checks.settle_due(NOW)
    payment.refresh_from_db()
    assert (payment.refund_error, payment.check_at) == (status, None)
    assert (payment.state, available(buyer)) == (State.PAID, 1000)


def test_pending_refund_that_fails_later_is_shown(stripe, payment, buyer):
    tell(payment, "checkout.session.completed", stripe.pay(payment.reference))
    stripe.refunding = "pending"
    assert refunds.ask(payment, None, "Bought twice", NOW)
    due = checks.settle_due(NOW)
    payment.refresh_from_db()
    assert (payment.awaits_refund, available(buyer)) == (True, 1000)
    stripe.refunds["re_0"] |= {"status": "failed", "failure_reason": "expired_or_canceled_card"}
    checks.settle_due(due)
    payment.refresh_from_db()
    assert (payment.refund_error, available(buyer)) == ("expired_or_canceled_card", 1000)


@pytest.mark.parametrize(("status", "given"), [("succeeded", 49_900), ("pending", 0)])
def test_charge_that_is_refunded_already_says_how_far_it_is(stripe, payment, status, given):
    stripe.pay(payment.reference)
    stripe.refunding = status
    for attempt in ("first", "second"):
        found = find("stripe").refund(payment.public_id, payment.reference, attempt)
        assert found.refunded == given
    assert len(stripe.refunds) == 1


def test_stripe_that_is_down_is_asked_again_and_a_webhook_that_needs_it_too(stripe, payment):
    stripe.pay(payment.reference)
    stripe.fails = True
    gateway = find("stripe")
    with pytest.raises(Unavailable):
        gateway.find(payment.reference)
    about = stripe.dispute(payment.reference, "needs_response")
    assert send(FakeStripe.event("charge.dispute.funds_withdrawn", about)) == 503
    stripe.fails = False
    with pytest.raises(Rejected, match="resource_missing"):
        gateway.find("cs_unknown")
