"""Stripe Checkout through its library, against a fake Stripe on loopback."""

import re
from datetime import timedelta
from itertools import permutations
from pathlib import Path
from typing import get_args

import pytest
from django.conf import settings
from django.test import Client
from stripe.params import WebhookEndpointCreateParams

from shop.models import Payment
from shop.payments import checks, debts, refunds
from shop.payments.providers import find
from shop.payments.providers.port import Rejected, Unavailable
from tests.accounts.factories import staff
from tests.shop.payments.factories import NOW, available, begun, count_top_ups
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
    assert send(FakeStripe.event(kind, about, name)) == 200
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


def test_refund_before_payment_and_repeated_events_end_the_same(stripe, payment, buyer):
    name = payment.reference
    session = stripe.pay(name)
    stripe.refund(f"pi_{name}")
    tell(payment, "charge.refunded", stripe.charge(name, 49_900), "evt_refund")
    assert (payment.state, available(buyer)) == (State.PENDING, 0)
    tell(payment, "checkout.session.completed", session, "evt_paid")
    assert (payment.state, available(buyer), count_top_ups()) == (State.REFUNDED, 0, 0)
    tell(payment, "checkout.session.completed", session, "evt_paid")
    tell(payment, "checkout.session.expired", {**session, "payment_status": "unpaid"})
    assert (payment.state, available(buyer), count_top_ups()) == (State.REFUNDED, 0, 0)


def test_late_and_repeated_events_credit_once(stripe, payment, buyer):
    tell(payment, "checkout.session.expired", stripe.expire(payment.reference))
    assert payment.state == State.EXPIRED
    session = stripe.pay(payment.reference)
    for _ in range(3):
        tell(payment, "checkout.session.completed", session, "evt_paid")
    tell(payment, "checkout.session.async_payment_succeeded", session)
    assert (payment.state, available(buyer), count_top_ups()) == (State.PAID, 1000, 1)


def test_completed_but_unpaid_checkout_waits(stripe, payment, buyer):
    session = {**stripe.sessions[payment.reference], "status": "complete"}
    tell(payment, "checkout.session.completed", session)
    assert (payment.state, available(buyer)) == (State.PENDING, 0)
    tell(payment, "checkout.session.async_payment_failed", session)
    assert payment.state == State.FAILED


def test_dispute_takes_credits_only_while_stripe_has_withdrawn_the_money(stripe, payment, buyer):
    name = payment.reference
    tell(payment, "checkout.session.completed", stripe.pay(name))
    tell(payment, "charge.dispute.created", stripe.dispute(name, "warning_needs_response"))
    assert available(buyer) == 1000
    tell(payment, "charge.dispute.funds_withdrawn", stripe.dispute(name, "needs_response"))
    assert (payment.state, available(buyer)) == (State.DISPUTED, 0)
    tell(payment, "charge.dispute.closed", stripe.dispute(name, "won"))
    assert (payment.state, available(buyer), debts.owed_by(buyer.pk)) == (State.PAID, 1000, 0)


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


def test_events_about_other_sales_of_the_stripe_account_are_ignored(stripe, payment):
    other = {**stripe.sessions[payment.reference], "metadata": {}}
    assert send(FakeStripe.event("checkout.session.completed", other)) == 200
    assert send(FakeStripe.event("customer.created", {"object": "customer"})) == 200
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
    # The key ends with NOW, the moment of the request by staff, in microseconds.
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


REFUND_EVENTS = ("refund.failed", "refund.updated", "charge.refund.updated")


@pytest.mark.parametrize("status", ["failed", "canceled"])
@pytest.mark.parametrize("order", permutations(REFUND_EVENTS), ids=" ".join)
def test_refund_of_staff_that_fails_later_gives_the_credits_back_once(
    stripe, payment, buyer, order, status
):
    tell(payment, "checkout.session.completed", stripe.pay(payment.reference))
    assert refunds.ask(payment, None, "Bought twice", NOW)
    checks.settle_due(NOW)
    tell(payment, "charge.refunded", stripe.charge(payment.reference, 49_900))
    assert (payment.state, available(buyer)) == (State.REFUNDED, 0)
    about = stripe.fail_refund("re_0", status, "lost_or_stolen_card")
    for kind in (*order, *order):
        tell(payment, kind, about)
        assert (payment.state, available(buyer)) == (State.PAID, 1000)
    # The worker stores the reason, and makes no second refund by itself.
    stripe.by_key.clear()  # Stripe forgets idempotency keys after a time
    checks.settle_due(payment.check_at)
    payment.refresh_from_db()
    assert (payment.refund_error, payment.check_at) == ("lost_or_stolen_card", None)
    assert (len(stripe.refunds), available(buyer)) == (1, 1000)
    later = NOW + timedelta(days=2)
    assert refunds.ask(payment, None, "To the new card", later)
    checks.settle_due(later)
    payment.refresh_from_db()
    assert (payment.state, payment.refunded_amount) == (State.REFUNDED, 49_900)
    assert (len(stripe.refunds), available(buyer)) == (2, 0)


def test_rest_left_by_a_failed_partial_refund_is_shown_and_can_be_refunded(stripe, payment, buyer):
    tell(payment, "checkout.session.completed", stripe.pay(payment.reference))
    stripe.refund(f"pi_{payment.reference}", amount=9_980)
    assert refunds.ask(payment, None, "Bought twice", NOW)
    # The charge still counts the failed refund, so Stripe refunds only the rest, as if the first
    # refund had failed right after the second.
    stripe.fail_refund("re_0")
    stripe.intents[f"pi_{payment.reference}"]["latest_charge"]["amount_refunded"] = 9_980
    due = checks.settle_due(NOW)
    payment.refresh_from_db()
    assert (due, payment.refunded_amount, available(buyer)) == (None, 39_920, 200)
    assert (payment.awaits_refund, payment.refund_error) == (False, "incomplete")
    stripe.intents[f"pi_{payment.reference}"]["latest_charge"]["amount_refunded"] = 39_920
    later = NOW + timedelta(days=1)
    assert refunds.ask(payment, None, "The rest", later)
    checks.settle_due(later)
    payment.refresh_from_db()
    assert (payment.state, payment.refund_error, available(buyer)) == (State.REFUNDED, "", 0)


def test_error_of_a_refund_is_gone_once_the_rest_was_refunded_elsewhere(stripe, payment, buyer):
    tell(payment, "checkout.session.completed", stripe.pay(payment.reference))
    stripe.refund(f"pi_{payment.reference}", amount=9_980)
    assert refunds.ask(payment, None, "Bought twice", NOW)
    stripe.fail_refund("re_0")
    charge = stripe.intents[f"pi_{payment.reference}"]["latest_charge"]
    charge["amount_refunded"] = 9_980
    checks.settle_due(NOW)
    charge["amount_refunded"] = 39_920
    tell(payment, "charge.refunded", stripe.refund(f"pi_{payment.reference}", amount=9_980))
    payment.refresh_from_db()
    assert (payment.state, payment.refund_error, available(buyer)) == (State.REFUNDED, "", 0)


def test_failure_of_an_earlier_refund_does_not_affect_a_later_one(stripe, payment, buyer):
    tell(payment, "checkout.session.completed", stripe.pay(payment.reference))
    stripe.refunding = "pending"
    assert refunds.ask(payment, None, "Bought twice", NOW)
    checks.settle_due(NOW)
    about = stripe.fail_refund("re_0")
    payment.refresh_from_db()
    checks.settle_due(payment.check_at)
    later = NOW + timedelta(days=1)
    assert refunds.ask(payment, None, "Again", later)
    checks.settle_due(later)
    tell(payment, "refund.failed", about)
    assert (payment.awaits_refund, payment.refund_error) == (True, "")
    stripe.refunds["re_1"]["status"] = "succeeded"
    tell(payment, "refund.updated", stripe.refunds["re_1"])
    assert (payment.state, available(buyer)) == (State.REFUNDED, 0)


def test_refunds_on_stripes_own_pages_and_their_failure_are_applied(stripe, payment, buyer):
    """Make two partial refunds, which have none of our metadata, and let the first one fail."""
    tell(payment, "checkout.session.completed", stripe.pay(payment.reference))
    for amount in (9_980, 24_950):
        stripe.refund(f"pi_{payment.reference}", amount=amount)
    tell(payment, "charge.refunded", stripe.charge(payment.reference, 34_930))
    assert available(buyer) == 300
    tell(payment, "refund.failed", stripe.fail_refund("re_0"))
    assert (payment.state, payment.refunded_amount, available(buyer)) == (State.PAID, 24_950, 500)
    assert (payment.refund_error, payment.check_at) == ("failed", None)


def test_payment_is_found_with_its_refunds_and_its_failed_ones(stripe, payment, buyer):
    stripe.pay(payment.reference)
    for _ in range(2):
        stripe.refund(f"pi_{payment.reference}", amount=9_980)
    stripe.fail_refund("re_1")
    found = find("stripe").find(payment.reference)
    assert (found.is_paid, found.refunded, found.failed_refunds) == (True, 19_960, 9_980)


def test_refunds_of_other_sales_are_ignored(stripe, payment):
    stripe.pay(payment.reference)
    stripe.intents[f"pi_{payment.reference}"]["metadata"] = {}
    about = stripe.refund(f"pi_{payment.reference}")
    for event in ("refund.failed", "charge.refund.updated"):
        assert send(FakeStripe.event(event, about)) == 200
        assert send(FakeStripe.event(event, {**about, "payment_intent": None})) == 200
    assert not payment.events.exists()


def test_events_named_in_the_example_settings_exist_in_the_library():
    text = (Path(settings.BASE_DIR) / ".env.example").read_text()
    section = text[text.index("# Stripe (") : text.index("#STRIPE_SECRET_KEY")]
    kinds = re.findall(r"(?:checkout|charge|refund)(?:\.\w+)+", section)
    assert {"refund.failed", "refund.updated", "charge.refunded"} < set(kinds)
    (literal,) = get_args(WebhookEndpointCreateParams.__annotations__["enabled_events"])
    assert {*kinds, *REFUND_EVENTS} <= set(get_args(literal))


@pytest.mark.parametrize(("status", "given"), [("succeeded", 49_900), ("pending", 0)])
def test_charge_that_is_refunded_already_is_not_refunded_again(stripe, payment, status, given):
    stripe.pay(payment.reference)
    stripe.refunding = status
    for attempt in ("first", "second"):
        found = find("stripe").refund(payment.public_id, payment.reference, attempt, "")
        assert found.refunded == given
    assert len(stripe.refunds) == 1


def test_stripe_that_is_down_is_unavailable_and_webhooks_that_need_it_answer_503(stripe, payment):
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
