"""The worker asks providers about open payments, expires old ones, and makes refunds."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from config.background.payment_thread import PaymentThread
from shop.models import Debt, Payment, PaymentEvent, SandboxCheckout
from shop.payments import checkout, checks, refunds, selectors
from shop.payments.providers import sandbox
from shop.payments.providers.port import Facts, Rejected, Unavailable
from tests.accounts.factories import sign_in, staff
from tests.shop.payments.factories import (
    NOW,
    available,
    begun,
    failed_refund,
    page_of,
    paid,
    paid_facts,
    refunded,
    told,
)
from tests.wallet.factories import assert_books_balance, player
from wallet.models import Transfer

pytestmark = pytest.mark.django_db
State = Payment.State


@pytest.fixture
def buyer():
    return player("buyer5", credits=0)


@pytest.fixture(autouse=True)
def _books():
    yield
    assert_books_balance()


def at_bank(**changes):
    SandboxCheckout.objects.update(**changes)


def test_payment_whose_message_is_lost_is_found(buyer):
    payment = begun(buyer)
    at_bank(state="PAID")
    assert checks.settle_due(NOW) == payment.check_at
    assert available(buyer) == 0
    assert checks.settle_due(payment.check_at) is None
    payment.refresh_from_db()
    assert (payment.state, available(buyer)) == (State.PAID, 1000)


def test_payment_of_another_amount_is_kept_and_the_member_is_asked_to_write(client, buyer):
    payment = begun(buyer)
    at_bank(state="PAID", amount=payment.amount - 1)
    assert checks.settle_due(payment.check_at) is None
    payment.refresh_from_db()
    assert (payment.state, available(buyer)) == (State.FAILED, 0)
    assert payment.events.get().outcome == PaymentEvent.Outcome.MISMATCH
    text = sign_in(client, buyer).get(page_of(payment)).content.decode()
    assert "Another amount was paid" in text
    assert 'href="/support/credits/' in text
    assert "You can try again" not in text
    Payment.objects.update(created_at=timezone.now() - timedelta(days=100))
    call_command("forgetpayments")
    assert Payment.objects.filter(pk=payment.pk).exists()


def test_payment_delayed_at_the_provider_is_credited_once_it_is_made(buyer):
    payment = begun(buyer)
    at_bank(pays_at=timezone.now() + timedelta(hours=1))
    checks.settle_due(payment.check_at)
    assert available(buyer) == 0
    at_bank(pays_at=timezone.now() - timedelta(seconds=1))
    checks.settle_due(NOW + timedelta(minutes=10))
    assert available(buyer) == 1000


def test_open_payment_expires_and_is_not_checked_again(buyer):
    payment = begun(buyer)
    checks_made, now = 0, payment.check_at
    while now is not None:
        last, now = now, checks.settle_due(now)
        checks_made += 1
    payment.refresh_from_db()
    assert payment.state == State.EXPIRED
    assert list(selectors.payments_of(buyer.pk)) == [payment]
    assert last >= payment.expires_at
    assert checks_made < 17  # 14: 9 until the payment expires, then 5 as its age doubles each time


def test_payment_made_at_the_provider_after_it_expired_here_is_found(buyer):
    """The message is lost, and the provider still calls the payment open when it expires here."""
    payment = begun(buyer)
    checks.settle_due(payment.expires_at)
    payment.refresh_from_db()
    assert (payment.state, payment.check_at) == (State.EXPIRED, NOW + timedelta(hours=2))
    at_bank(state="PAID")
    checks.settle_due(payment.check_at)
    payment.refresh_from_db()
    assert (payment.state, payment.check_at, available(buyer)) == (State.PAID, None, 1000)


def test_facts_of_an_expired_payment_that_is_still_open_elsewhere_end_no_late_checks(buyer):
    payment = begun(buyer)
    checks.settle_due(payment.expires_at)
    payment.refresh_from_db()
    due_at = payment.check_at
    told(payment, Facts(payment.public_id, payment.reference))
    assert (payment.state, payment.check_at) == (State.EXPIRED, due_at)
    at_bank(state="PAID")
    checks.settle_due(due_at)
    assert available(buyer) == 1000


def test_expired_payment_is_not_checked_again_once_its_provider_has_no_keys(buyer, settings):
    payment = begun(buyer)
    late_at = checks.settle_due(payment.expires_at)
    settings.PAYMENT_PROVIDERS = {}
    assert checks.settle_due(late_at) is None


def test_payment_that_the_provider_has_closed_is_not_checked_after_it_expires(buyer):
    payment = begun(buyer)
    at_bank(state="CLOSED")
    assert checks.settle_due(payment.expires_at) is None
    payment.refresh_from_db()
    assert payment.state == State.EXPIRED


def test_payment_does_not_expire_while_the_provider_is_down(buyer, monkeypatch):
    payment = begun(buyer)

    def down(*_):
        raise Unavailable("down")

    monkeypatch.setattr(sandbox.Gateway, "find", down)
    assert checks.settle_due(payment.expires_at) > payment.expires_at
    payment.refresh_from_db()
    assert payment.state == State.PENDING


def test_one_failing_payment_does_not_stop_the_others(buyer, monkeypatch, caplog):
    first, second = begun(buyer), begun(buyer, 500)
    at_bank(state="PAID")
    find = sandbox.Gateway.find

    def fail_for_first(gateway, reference):
        if reference == first.reference:
            raise ZeroDivisionError
        return find(gateway, reference)

    monkeypatch.setattr(sandbox.Gateway, "find", fail_for_first)
    checks.settle_due(second.check_at)
    assert available(buyer) == 500
    assert f"payment {first.public_id} not checked" in caplog.text


def test_payment_never_opened_at_the_provider_expires_unlisted(buyer, monkeypatch):
    monkeypatch.setattr(sandbox.Gateway, "start", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        begun(buyer)
    assert not selectors.payments_of(buyer.pk)
    checks.settle_due(NOW + checkout.OPEN_FOR)
    assert Payment.objects.get().state == State.EXPIRED
    assert not selectors.payments_of(buyer.pk)


def test_return_from_the_provider_brings_the_first_check_forward(buyer):
    payment = begun(buyer)
    checks.check_soon(payment.public_id, NOW)
    payment.refresh_from_db()
    assert payment.check_at == NOW
    at_bank(state="PAID")
    checks.settle_due(NOW)
    checks.check_soon(payment.public_id, NOW)
    payment.refresh_from_db()
    assert payment.check_at is None


def test_thread_of_the_worker_checks_payments(buyer):
    begun(buyer, now=timezone.now() - timedelta(hours=2))
    at_bank(state="PAID")
    thread = PaymentThread()
    thread.settle_due(thread.now())
    assert available(buyer) == 1000


def test_open_payment_of_a_provider_without_keys_expires(buyer, settings):
    payment = begun(buyer, now=timezone.now() - timedelta(hours=2))
    settings.PAYMENT_PROVIDERS = {}
    thread = PaymentThread()
    assert thread.is_on()
    thread.settle_due(thread.now())
    payment.refresh_from_db()
    assert payment.state == "EXPIRED"


# --- Refunds by staff ----------------------------------------------------------------------------

ADMIN = "/admin/shop/payment/"


def press(client, rows, action="refund", reason="Bought twice", url=ADMIN):
    chosen = {"action": action, "_selected_action": [row.pk for row in rows]}
    return client.post(url, {**chosen, "confirmed": "yes", "reason": reason}, follow=True)


def test_staff_refund_a_payment_with_a_reason_that_the_member_reads(buyer, client, boss):
    payment = paid(buyer)
    at_bank(state="PAID")
    assert press(client, [payment], reason="").status_code == 422
    press(client, [payment])
    press(client, [payment], reason="Again")
    payment.refresh_from_db()
    assert (payment.awaits_refund, payment.refund_by, available(buyer)) == (True, boss, 1000)
    checks.settle_due(timezone.now())
    payment.refresh_from_db()
    assert (payment.state, available(buyer)) == (State.REFUNDED, 0)
    statement = sign_in(client, buyer).get("/credits/").content.decode()
    assert "Top-up refunded" in statement
    assert "Bought twice" in statement


def test_refund_that_the_provider_declines_is_shown_and_may_be_requested_again(
    buyer, client, boss, monkeypatch
):
    payment = paid(buyer)

    def decline(*_):
        raise Rejected("charge_disputed")

    with monkeypatch.context() as broken:
        broken.setattr(sandbox.Gateway, "refund", decline)
        press(client, [payment])
        checks.settle_due(timezone.now())
    payment.refresh_from_db()
    assert (payment.refund_error, payment.check_at) == ("charge_disputed", None)
    assert available(buyer) == 1000
    assert "charge_disputed" in client.get(f"{ADMIN}{payment.pk}/change/").content.decode()
    at_bank(state="PAID")
    press(client, [payment])
    checks.settle_due(timezone.now())
    assert available(buyer) == 0


def test_time_outs_repeat_an_attempt_and_each_request_of_staff_is_a_new_one(buyer, monkeypatch):
    payment, attempts = paid(buyer), []
    answers = [Unavailable("slow"), Unavailable("slow"), Rejected("no"), Rejected("no")]

    def decline(gateway, public_id, reference, attempt, email):
        attempts.append(attempt)
        raise answers.pop(0)

    monkeypatch.setattr(sandbox.Gateway, "refund", decline)
    for now, times in ((NOW, 3), (NOW + timedelta(days=1), 1)):
        assert refunds.ask(payment, None, "Bought twice", now)
        for _ in range(times):
            now = checks.settle_due(now)
        assert now is None
    assert attempts[0] == attempts[1] == attempts[2] != attempts[3]


def test_a_late_refusal_does_not_decline_the_next_request_of_staff(buyer, monkeypatch):
    payment = paid(buyer)
    assert refunds.ask(payment, None, "Bought twice", NOW)
    asked = Payment.objects.get(pk=payment.pk)
    later = NOW + timedelta(hours=1)

    def decline(*_):
        # Meanwhile another worker has got the same answer, and staff request the refund again.
        Payment.objects.filter(pk=payment.pk).update(refund_error="no")
        assert refunds.ask(payment, None, "Please try again", later)
        raise Rejected("no")

    monkeypatch.setattr(sandbox.Gateway, "refund", decline)
    checks.check(asked, NOW)
    payment.refresh_from_db()
    assert (payment.refund_error, payment.refund_asked_at) == ("", later)
    assert payment.awaits_refund


def test_refund_of_own_payment_or_without_permission_is_refused(buyer, client, boss):
    own = paid(boss, 300)
    assert "you are involved yourself" in press(client, [own]).content.decode()
    payment = paid(buyer)
    sign_in(client, staff("clerk5"))
    type(boss).objects.filter(username="clerk5").update(is_superuser=False)
    press(client, [payment])
    assert not Payment.objects.exclude(refund_asked_at=None).exists()


def test_payments_are_read_only_and_packs_can_be_added(buyer, client, boss):
    payment = paid(buyer)
    assert client.get(f"{ADMIN}{payment.pk}/change/").status_code == 200
    assert client.post(f"{ADMIN}{payment.pk}/change/", {"credits": 5}).status_code == 403
    assert client.get(f"{ADMIN}add/").status_code == 403
    fields = {"credits": 250, "is_active": "on", "position": 1}
    prices = {
        "prices-TOTAL_FORMS": 1,
        "prices-INITIAL_FORMS": 0,
        "prices-0-currency": "EUR",
        "prices-0-amount": 199,
    }
    assert client.post("/admin/shop/pack/add/", {**fields, **prices}).status_code == 302
    assert "250" in client.get("/admin/shop/pack/").content.decode()


def test_staff_waive_a_debt_with_a_reason(buyer, client, boss):
    debt = Debt.objects.create(user=buyer, credits=70)
    press(client, [debt], "waive", url="/admin/shop/debt/")
    debt.refresh_from_db()
    assert debt.credits == 0
    answer = press(client, [debt], "waive", url="/admin/shop/debt/")
    assert "owe nothing" in answer.content.decode()


def test_refund_that_failed_later_is_found_in_the_admin_and_on_the_members_pages(
    buyer, client, boss
):
    payment = paid(buyer)
    told(payment, refunded(payment))
    told(payment, failed_refund(payment))
    listed = client.get(f"{ADMIN}?refund_error__isempty=0").content.decode()
    assert payment.public_id in listed
    page = client.get(f"{ADMIN}{payment.pk}/change/").content.decode()
    assert "Refunds that failed" in page
    assert "49900" in page
    sign_in(client, buyer)
    assert "did not reach you" in client.get(page_of(payment)).content.decode()
    statement = client.get("/credits/").content.decode()
    assert "Refund failed" in statement
    assert "The money did not reach you" in statement


def test_staff_cannot_reverse_the_transfers_of_a_payment(buyer, client, boss):
    paid(buyer)
    transfer = Transfer.objects.get(cause="top_up")
    answer = client.post(f"/admin/wallet/transfer/{transfer.pk}/reverse/", {"reason": "x"})
    assert "Refund the payment on its own page" in answer.content.decode()


# --- Retention -----------------------------------------------------------------------------------


def test_old_unpaid_payments_are_deleted_and_paid_ones_kept(buyer):
    old = timezone.now() - timedelta(days=120)
    kept, gone, wrong = paid(buyer, now=old), begun(buyer, 300, old), begun(buyer, 400, old)
    told(kept, refunded(kept), now=old)
    told(wrong, paid_facts(wrong, amount=1), now=old)
    checks.settle_due(old + timedelta(days=2))
    fresh = begun(buyer, 500, timezone.now())
    call_command("forgetpayments")
    assert set(Payment.objects.all()) == {kept, wrong, fresh}
    assert gone not in Payment.objects.all()
    assert [event.payment for event in PaymentEvent.objects.all()] == [wrong]
    with pytest.raises(CommandError):
        call_command("forgetpayments", days=1)
