"""Messages of providers lead to the same row and credits in any order."""

from datetime import timedelta
from itertools import permutations

import pytest
from django.core import mail

from accounts.models import Preferences
from accounts.shared.transactions import write_transaction
from shop.models import DebtPart, Payment, PaymentEvent
from shop.payments import checks, debts
from shop.payments.providers.port import Facts
from shop.services.counting import count
from tests.shop.payments.factories import (
    NOW,
    available,
    begun,
    count_top_ups,
    disputed,
    failed_refund,
    paid,
    paid_facts,
    refunded,
    spend,
    told,
)
from tests.shop.payments.freezing import freeze, lift
from tests.wallet.factories import assert_books_balance, player
from wallet.limits.errors import OwnLimit
from wallet.limits.overview import lines_of
from wallet.limits.rules import Kind
from wallet.limits.services import set_limits
from wallet.models import Entry, Transfer
from wallet.money import House
from wallet.services import accounts, holds
from wallet.services.transfers import Cause

pytestmark = pytest.mark.django_db
State = Payment.State


@pytest.fixture
def buyer():
    return player("buyer5", credits=0)


@pytest.fixture(autouse=True)
def _books():
    yield
    assert_books_balance()


def test_paid_payment_brings_its_credits_once(buyer):
    payment = begun(buyer)
    assert payment.state == State.PENDING
    assert told(payment, paid_facts(payment), "one")
    assert not told(payment, paid_facts(payment), "one")
    assert told(payment, paid_facts(payment), "another")
    assert (payment.state, payment.paid_at, payment.check_at) == (State.PAID, NOW, None)
    assert (available(buyer), count_top_ups()) == (1000, 1)
    assert PaymentEvent.objects.filter(payment=payment).count() == 2
    transfer = Transfer.objects.get(cause="top_up")
    assert (transfer.key, transfer.reference) == (f"top_up:{payment.public_id}", payment.public_id)
    assert Entry.objects.get(transfer=transfer, account__code=House.BOUGHT).amount_credits == -1000


def test_expired_or_failed_payment_credits_nothing_until_it_is_paid_late(buyer):
    payment = begun(buyer)
    told(payment, Facts(payment.public_id, ended="EXPIRED"))
    assert (payment.state, payment.check_at, available(buyer)) == (State.EXPIRED, None, 0)
    told(payment, Facts(payment.public_id, ended="FAILED"))
    assert payment.state == State.EXPIRED
    told(payment, paid_facts(payment))
    assert (payment.state, available(buyer)) == (State.PAID, 1000)


@pytest.mark.parametrize(("amount", "currency"), [(49_899, "RUB"), (49_900, "TRY")])
def test_another_amount_or_currency_credits_nothing(buyer, caplog, amount, currency):
    payment = begun(buyer)
    told(payment, paid_facts(payment, amount=amount, currency=currency))
    assert (payment.state, available(buyer)) == (State.FAILED, 0)
    assert payment.events.get().outcome == PaymentEvent.Outcome.MISMATCH
    assert payment.public_id in caplog.text


def test_message_of_another_provider_changes_nothing(buyer):
    payment = begun(buyer)
    Payment.objects.filter(pk=payment.pk).update(provider="stripe")
    payment.provider = "sandbox"
    assert not told(payment, paid_facts(payment))
    assert available(buyer) == 0


def test_refund_takes_the_credits_back(buyer):
    payment = paid(buyer)
    told(payment, refunded(payment))
    assert (payment.state, payment.reversed_credits) == (State.REFUNDED, 1000)
    assert (available(buyer), debts.owed_by(buyer.pk)) == (0, 0)
    assert count(NOW).bought == 0


def test_partial_refunds_take_back_their_part_and_add_up(buyer):
    payment = paid(buyer)
    told(payment, refunded(payment, 9_980))
    assert (payment.state, available(buyer)) == (State.PAID, 800)
    told(payment, refunded(payment, 4_990))  # an older message
    assert available(buyer) == 800
    told(payment, refunded(payment, 49_900))
    assert (payment.state, available(buyer)) == (State.REFUNDED, 0)


def test_spent_credits_become_a_debt_that_the_next_top_ups_pay(buyer):
    payment = paid(buyer)
    spend(buyer, 700)
    told(payment, refunded(payment))
    assert (available(buyer), debts.owed_by(buyer.pk)) == (0, 700)
    paid(buyer, 500)
    assert (available(buyer), debts.owed_by(buyer.pk)) == (0, 200)
    paid(buyer, 500)
    assert (available(buyer), debts.owed_by(buyer.pk)) == (300, 0)
    assert Transfer.objects.filter(cause="top_up_debt").count() == 2


def test_refund_does_not_take_reserved_credits(buyer):
    payment = paid(buyer)
    with write_transaction():
        holds.open("stake", accounts.of_user(buyer.pk).pk, 600, Cause("stake"), NOW)
    told(payment, refunded(payment))
    assert (available(buyer), debts.owed_by(buyer.pk)) == (0, 600)


def test_won_dispute_gives_the_credits_back_and_a_lost_one_does_not(buyer):
    payment = paid(buyer)
    told(payment, disputed(payment, "OPEN"))
    assert (payment.state, available(buyer)) == (State.DISPUTED, 0)
    told(payment, disputed(payment, "WON"))
    assert (payment.state, available(buyer)) == (State.PAID, 1000)
    told(payment, disputed(payment, "OPEN"))  # a late message
    assert (payment.state, available(buyer)) == (State.PAID, 1000)
    other = paid(buyer, 300)
    told(other, disputed(other, "OPEN"))
    told(other, disputed(other, "LOST"))
    assert (other.state, available(buyer)) == (State.DISPUTED, 1000)


def test_won_dispute_lowers_the_debt_first(buyer):
    payment = paid(buyer)
    spend(buyer, 900)
    told(payment, disputed(payment, "OPEN"))
    paid(buyer, 300)
    assert (available(buyer), debts.owed_by(buyer.pk)) == (0, 600)
    told(payment, disputed(payment, "WON"))
    assert (available(buyer), debts.owed_by(buyer.pk)) == (400, 0)


def test_refund_that_fails_later_gives_the_credits_back_once(buyer):
    payment = paid(buyer)
    spend(buyer, 700)
    told(payment, refunded(payment))
    assert (payment.state, available(buyer), debts.owed_by(buyer.pk)) == (State.REFUNDED, 0, 700)
    for event in ("failed", "failed", "updated"):
        told(payment, failed_refund(payment), event)
        assert (payment.state, payment.refunded_amount) == (State.PAID, 0)
        assert (available(buyer), debts.owed_by(buyer.pk)) == (300, 0)
    told(payment, refunded(payment))  # a late message
    assert (payment.state, available(buyer)) == (State.PAID, 300)
    again = Facts(payment.public_id, refunded=2 * 49_900, failed_refunds=49_900)
    told(payment, again)
    assert (payment.state, available(buyer), debts.owed_by(buyer.pk)) == (State.REFUNDED, 0, 700)
    causes = Transfer.objects.filter(reference=payment.public_id).order_by("pk")
    taken = ["top_up", "top_up_refund", "top_up_refund_failed", "top_up_refund"]
    assert list(causes.values_list("cause", flat=True)) == taken


def test_failed_refund_gives_back_taken_credits_and_the_paid_part_of_the_debt(buyer):
    payment = paid(buyer)
    spend(buyer, 700)
    told(payment, refunded(payment))
    paid(buyer, 500)
    assert (available(buyer), debts.owed_by(buyer.pk)) == (0, 200)
    told(payment, failed_refund(payment))
    assert (available(buyer), debts.owed_by(buyer.pk)) == (800, 0)
    assert lines_of(buyer.pk, NOW)[Kind.DEPOSIT_DAY].used == 1500


def test_cause_of_returned_credits_tells_a_dispute_from_a_failed_refund(buyer):
    payment = paid(buyer)
    for found in (disputed(payment, "OPEN"), disputed(payment, "WON")):
        told(payment, found)
    told(payment, refunded(payment))
    told(payment, failed_refund(payment))
    causes = Transfer.objects.filter(cause__in=("top_up_returned", "top_up_refund_failed"))
    found = list(causes.order_by("pk").values_list("cause", flat=True))
    assert found == ["top_up_returned", "top_up_refund_failed"]


@pytest.mark.parametrize("how", ["dispute", "refund"])
def test_waived_credits_are_not_given_back_a_second_time(buyer, how):
    """The member bought 1000 credits and spent 700 of them, so only 300 are given back."""
    payment = paid(buyer)
    spend(buyer, 700)
    told(payment, disputed(payment, "OPEN") if how == "dispute" else refunded(payment))
    with write_transaction():
        assert debts.waive(buyer.pk)
        assert not debts.waive(buyer.pk)
    assert debts.owed_by(buyer.pk) == 0
    told(payment, disputed(payment, "WON") if how == "dispute" else failed_refund(payment))
    assert (available(buyer), debts.owed_by(buyer.pk)) == (300, 0)
    told(payment, refunded(payment, 2 * 49_900))  # the waiver counts once
    assert (available(buyer), debts.owed_by(buyer.pk)) == (0, 700)


def test_waiving_the_debt_of_one_payment_reduces_nothing_that_another_gives_back(buyer):
    kept, waived = paid(buyer, 500), paid(buyer)
    told(kept, disputed(kept, "OPEN"))
    assert available(buyer) == 1000
    spend(buyer, 700)
    told(waived, disputed(waived, "OPEN"))
    with write_transaction():
        debts.waive(buyer.pk)
    told(kept, disputed(kept, "WON"))
    assert available(buyer) == 500
    told(waived, disputed(waived, "WON"))
    assert available(buyer) == 800


def test_paid_part_of_a_debt_is_given_back_and_the_waived_part_is_not(buyer):
    payment = paid(buyer)
    spend(buyer, 700)
    told(payment, disputed(payment, "OPEN"))
    paid(buyer, 200)
    assert debts.owed_by(buyer.pk) == 500
    with write_transaction():
        debts.waive(buyer.pk)
    told(payment, disputed(payment, "WON"))
    # 300 were taken from the balance and 200 from the next top-up; 500 were waived.
    assert (available(buyer), debts.owed_by(buyer.pk)) == (500, 0)


def test_a_debt_is_the_sum_of_its_parts(buyer):
    first, second = paid(buyer), paid(buyer, 500)
    spend(buyer, 1500)
    for payment in (first, second):
        told(payment, disputed(payment, "OPEN"))
    paid(buyer, 100)
    told(second, disputed(second, "WON"))
    parts = DebtPart.objects.order_by("pk").values_list("owed_credits", flat=True)
    assert (list(parts), debts.owed_by(buyer.pk)) == ([900, 0], 900)


# The messages that lead to each ending in any order, each with its name and its facts. The facts of
# "paid" come from `paid_facts`.
ENDINGS = {
    "refunded": [("paid", {}), ("refund", {"refunded": 49_900})],
    "partly": [("paid", {}), ("one", {"refunded": 9_980}), ("two", {"refunded": 24_950})],
    "won": [("paid", {}), ("open", {"dispute": "OPEN"}), ("won", {"dispute": "WON"})],
    "lost": [("paid", {}), ("open", {"dispute": "OPEN"}), ("lost", {"dispute": "LOST"})],
    "late": [("expired", {"ended": "EXPIRED"}), ("paid", {})],
    "failed": [("failed", {"ended": "FAILED"}), ("paid", {}), ("refund", {"refunded": 49_900})],
    "refund failed": [
        ("paid", {}),
        ("refund", {"refunded": 49_900}),
        ("failed", {"refunded": 49_900, "failed_refunds": 49_900}),
    ],
    "refunded again": [
        ("paid", {}),
        ("refund", {"refunded": 49_900}),
        ("failed", {"refunded": 49_900, "failed_refunds": 49_900}),
        ("again", {"refunded": 99_800, "failed_refunds": 49_900}),
    ],
    "part failed": [
        ("paid", {}),
        ("one", {"refunded": 9_980}),
        ("two", {"refunded": 34_930}),
        ("failed", {"refunded": 34_930, "failed_refunds": 9_980}),
    ],
    "failed and won": [
        ("paid", {}),
        ("failed", {"refunded": 49_900, "failed_refunds": 49_900}),
        ("open", {"dispute": "OPEN"}),
        ("won", {"dispute": "WON"}),
    ],
    "all": [
        ("paid", {}),
        ("open", {"dispute": "OPEN"}),
        ("won", {"dispute": "WON"}),
        ("refund", {"refunded": 24_950}),
    ],
}
# The member's credits after all messages of each ending.
LEFT = {
    "refunded": 0,
    "partly": 500,
    "won": 1000,
    "lost": 0,
    "late": 1000,
    "failed": 0,
    "refund failed": 1000,
    "refunded again": 0,
    "part failed": 500,
    "failed and won": 1000,
    "all": 500,
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_every_order_of_repeated_messages_ends_the_same(ending):
    ends = set()
    for number, order in enumerate(permutations(ENDINGS[ending])):
        user = player(f"person{number}", credits=0)
        payment = begun(user)
        for name, more in order:
            found = paid_facts(payment) if name == "paid" else Facts(payment.public_id, **more)
            told(payment, found, f"{number}:{name}")
            told(payment, found, f"{number}:{name}")
            told(payment, found, f"{number}:{name} again")
        posted = Transfer.objects.filter(key=f"top_up:{payment.public_id}").count()
        # If the refund or the dispute comes first, the payment posts nothing.
        assert posted in ({0, 1} if LEFT[ending] == 0 else {1})
        assert payment.reversed_credits == posted * (1000 - LEFT[ending])
        assert debts.owed_by(user.pk) == 0
        ends.add((payment.state, available(user)))
    ((_, left),) = ends
    assert left == LEFT[ending]


# --- Emails --------------------------------------------------------------------------------------


def emails():
    return [(each.subject, each.body) for each in mail.outbox]


@pytest.mark.parametrize(
    ("language", "title", "words"),
    [
        ("en", "Receipt: 1,000 credits", ("₽499", "09:30")),
        (
            "ru",
            "Чек: 1\N{NO-BREAK SPACE}000 кредитов",
            ("499\N{NO-BREAK SPACE}₽", "12:30"),
        ),
        ("tr", "Makbuz: 1.000 kredi", ("₽499", "12:30")),
    ],
)
def test_receipt_is_in_the_members_language_and_zone(buyer, language, title, words):
    Preferences.objects.filter(user=buyer).update(language=language)
    payment = paid(buyer)
    ((subject, text),) = emails()
    assert payment.public_id in text
    assert f"/shop/payments/{payment.public_id}/" in text
    for word in words:
        assert word in text
    assert subject == title


def test_refund_and_dispute_write_one_email_each_and_name_the_debt(buyer):
    payment, other = paid(buyer), paid(buyer, 500)
    spend(buyer, 1400)
    told(payment, refunded(payment))
    told(payment, refunded(payment))
    told(other, disputed(other, "OPEN"))
    told(other, disputed(other, "LOST"))
    subjects = [subject for subject, _ in emails()]
    assert len(subjects) == 4
    assert subjects[2:] == ["Refund: ₽499", "The bank has taken a payment back"]
    assert "You owe 900 credits" in emails()[2][1]


def test_failed_refund_writes_one_email(buyer):
    payment = paid(buyer)
    told(payment, refunded(payment))
    for _ in range(2):
        told(payment, failed_refund(payment))
    subjects = [subject for subject, _ in emails()]
    assert subjects[2:] == ["The refund of ₽499 did not reach you"]


# --- Freeze --------------------------------------------------------------------------------------


def test_top_up_during_a_freeze_waits_and_is_credited_once(buyer):
    payment = begun(buyer)
    frozen = freeze()
    told(payment, paid_facts(payment), "one")
    told(payment, paid_facts(payment), "two")
    assert (payment.state, available(buyer), count_top_ups()) == (State.PAID, 0, 0)
    assert payment.check_at is not None
    lift(frozen)
    assert (available(buyer), count_top_ups()) == (1000, 1)


def test_top_up_during_a_freeze_counts_for_the_members_own_limit_before_it_is_credited(buyer):
    set_limits(buyer.pk, {Kind.DEPOSIT_DAY: 1500}, NOW)
    payment = begun(buyer)
    frozen = freeze()
    told(payment, paid_facts(payment))
    frozen.delete()
    with pytest.raises(OwnLimit) as refusal:
        begun(buyer, 501)
    assert refusal.value.details["left"] == 500
    assert lines_of(buyer.pk, NOW)[Kind.DEPOSIT_DAY].used == 1000
    assert begun(buyer, 500).checkout_url


def test_refund_during_a_freeze_is_settled_by_the_worker_afterwards(buyer):
    kept, payment = paid(buyer, 300), begun(buyer)
    frozen = freeze()
    told(payment, paid_facts(payment))
    told(payment, refunded(payment))
    told(kept, refunded(kept))
    assert (available(buyer), kept.state, kept.reversed_credits) == (300, State.REFUNDED, 0)
    checks.settle_due(NOW + timedelta(minutes=2))
    assert available(buyer) == 300
    lift(frozen)
    assert available(buyer) == 1300
    checks.settle_due(NOW + timedelta(minutes=10))
    assert (available(buyer), debts.owed_by(buyer.pk)) == (0, 0)
    assert not Payment.objects.exclude(check_at=None).exists()
