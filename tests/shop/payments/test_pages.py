"""The pages of top-ups: packs, the way to the provider and back, receipts, refusals."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.closing import services as closing
from accounts.models import Profile, User
from accounts.shared.refusals import Refused
from shop import personal_data
from shop.models import Debt, Pack, PackPrice, Payment, SandboxCheckout
from shop.payments import checks
from shop.payments.providers import sandbox
from shop.payments.providers.port import Facts, Unavailable
from tests.accounts.factories import member, sign_in, staff
from tests.shop.payments.factories import (
    NOW,
    available,
    bank,
    begun,
    pack,
    page_of,
    paid,
    paid_facts,
    post,
    refunded,
    spend,
    told,
)
from tests.shop.payments.freezing import freeze
from tests.wallet.factories import player
from wallet.limits import exclusions
from wallet.limits.rules import Kind
from wallet.limits.services import set_limits

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
PACKS, START, OWN = "/shop/top-up/", "/shop/top-up/start/", "/shop/payments/"


@pytest.fixture
def buyer():
    return player("buyer5", credits=0)


@pytest.fixture
def tab(buyer):
    return sign_in(Client(), buyer)


def text_of(answer):
    return answer.content.decode()


def fields_of(tab, query="", **more):
    """Return the fields that the page's form would send."""
    text = text_of(tab.get(PACKS + query)).partition(f'action="{START}"')[2]
    found = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', text))
    found.pop("csrfmiddlewaretoken", None)
    packs = re.findall(r'name="pack" value="([^"]*)"', text)
    return {**found, "pack": packs[-1], **more}


def press(tab, query="", **more):
    return tab.post(START, fields_of(tab, query, **more))


@pytest.fixture
def _by_hand(monkeypatch):
    """Deliver the sandbox's webhooks to the site without a server."""
    monkeypatch.setattr(sandbox, "send", lambda url, body, signature: post(body, signature))


@pytest.mark.usefixtures("_by_hand")
def test_member_short_of_credits_pays_and_returns_to_the_page_of_the_game(tab, buyer):
    pack(1000)
    first = press(tab, "?next=/play/new/")
    payment = Payment.objects.get()
    assert first["Location"] == payment.checkout_url
    assert "₽499" in text_of(tab.get(first["Location"]))
    back = tab.post(first["Location"], {"answer": "pay"})
    assert back["Location"].endswith(f"/shop/payments/{payment.public_id}/back/")
    last = tab.get(reverse("shop:payment_return", args=[payment.public_id]), follow=True)
    assert last.redirect_chain == [("/play/new/", 302)]
    assert "You received 1000 credits." in text_of(last)
    assert available(buyer) == 1000
    assert "Top-up" in text_of(tab.get("/credits/?cause=purchases"))
    assert payment.public_id in text_of(tab.get("/credits/"))


@pytest.mark.usefixtures("_by_hand")
@pytest.mark.parametrize(
    ("answer", "state", "words"),
    [
        ("decline", "FAILED", "did not go through"),
        ("close", "EXPIRED", "was not made"),
        ("later", "PENDING", "Waiting for your payment"),
    ],
)
def test_other_answers_at_the_sandbox_credit_nothing(tab, buyer, answer, state, words):
    pack(1000)
    url = press(tab)["Location"]
    tab.post(url, {"answer": answer})
    payment = Payment.objects.get()
    assert (payment.state, available(buyer)) == (state, 0)
    assert words in text_of(tab.get(page_of(payment)))
    assert "has already answered this payment" in text_of(tab.get(url))
    tab.post(url, {"answer": "pay"})
    assert Payment.objects.get().state == state


def test_one_form_is_one_payment_however_often_it_is_sent(tab):
    pack(1000)
    fields = fields_of(tab)
    checkouts = {tab.post(START, fields)["Location"] for _ in range(3)}
    assert len(checkouts) == 1
    assert Payment.objects.count() == 1


def test_another_pack_of_the_same_form_is_another_payment(tab):
    pack(1000)
    pack(5000, RUB=199_900)
    fields = fields_of(tab)
    small = pressed(fields, "1000-49900")
    large = pressed(fields, "5000-199900")
    assert tab.post(START, small)["Location"] != tab.post(START, large)["Location"]
    assert set(Payment.objects.values_list("credits", "amount")) == {
        (1000, 49_900),
        (5000, 199_900),
    }


def pressed(fields, seen):
    """Return the fields as the button of a pack sends them; `seen` = "CREDITS-AMOUNT" as shown."""
    made = Pack.objects.get(credits=seen.partition("-")[0])
    return {**fields, "pack": f"{made.pk}-{seen}"}


@pytest.mark.parametrize("change", [{"credits": 900}, {"amount": 59_900}])
def test_pack_that_changed_after_it_was_shown_is_not_sold(tab, change):
    made = pack(1000)
    fields = fields_of(tab)
    rows = Pack.objects.filter(pk=made.pk) if "credits" in change else made.prices.all()
    rows.update(**change)
    assert tab.post(START, fields)["Refusal"] == "pack_gone"
    assert not Payment.objects.exists()


def test_currency_is_that_of_the_country_and_can_be_changed(tab, buyer):
    pack(1000, RUB=49_900, TRY=19_990, USD=499)
    text = text_of(tab.get(PACKS))
    assert "Pay $4.99" in text
    assert "You pay in US dollars." in text
    assert "Choose your country" in text
    Profile.objects.filter(user=buyer).update(country="TR")
    text = text_of(tab.get(PACKS))
    assert "Pay ₺199.90" in text
    assert "You pay in Turkish lira." in text
    assert "Choose your country" not in text
    text = text_of(tab.get(PACKS + "?currency=RUB"))
    assert "Pay ₽499" in text
    assert "?currency=USD" in text
    assert "EUR" not in text


def test_page_without_packs_or_providers_says_so(tab, settings):
    assert "cannot be bought here" in text_of(tab.get(PACKS))
    pack(1000)
    assert "Pay " in text_of(tab.get(PACKS))
    settings.PAYMENT_PROVIDERS = {}
    assert "cannot be bought here" in text_of(tab.get(PACKS))
    assert PACKS not in text_of(tab.get("/credits/"))


@pytest.mark.parametrize(
    "change",
    [
        {"pack": 0},
        {"pack": "x"},
        {"pack": "0-1000-49900"},
        {"currency": "EUR"},
        {"currency": "XXX"},
        {"form_key": "x"},
    ],
)
def test_forms_that_the_page_does_not_send_are_refused(tab, change):
    pack(1000)
    answer = press(tab, **change)
    assert (answer["Location"], answer["Refusal"]) == (PACKS, "pack_gone")
    assert not Payment.objects.exists()


def test_pack_whose_price_was_removed_meanwhile_is_not_sold(tab):
    made = pack(1000)
    fields = fields_of(tab)
    PackPrice.objects.filter(pack=made).delete()
    assert tab.post(START, fields)["Refusal"] == "pack_gone"


def test_nothing_can_be_bought_before_activation_or_while_credits_are_frozen(tab, buyer):
    pack(1000)
    fields = fields_of(tab)
    frozen = freeze()
    assert "Credits are frozen" in text_of(tab.get(PACKS))
    answer = tab.post(START, fields)
    assert answer["Refusal"] == "credits_frozen"
    assert "Credits are frozen" in text_of(tab.get(answer["Location"]))
    frozen.delete()
    User.objects.filter(pk=buyer.pk).update(activated_at=None)
    assert "Activate your account first" in text_of(tab.get(PACKS))
    assert tab.post(START, fields)["Refusal"] == "not_member"
    assert not Payment.objects.exists()


def test_provider_that_does_not_answer_gives_an_error_and_the_form_may_be_sent_again(
    tab, monkeypatch
):
    pack(1000)
    fields = fields_of(tab)

    def fail(*_):
        raise Unavailable("down")

    with monkeypatch.context() as broken:
        broken.setattr(sandbox.Gateway, "start", fail)
        assert tab.post(START, fields)["Refusal"] == "provider_failed"
    assert tab.post(START, fields)["Location"].startswith("/shop/sandbox/")
    assert Payment.objects.count() == 1


def test_member_who_returns_during_a_freeze_is_not_told_that_the_credits_came(tab, buyer):
    payment = begun(buyer, back="/play/new/")
    freeze()
    told(payment, paid_facts(payment))
    back = tab.get(reverse("shop:payment_return", args=[payment.public_id]), follow=True)
    assert back.redirect_chain == [(page_of(payment), 302)]
    assert "You received" not in text_of(back)
    assert "as soon as our team has finished checking the books" in text_of(back)


def test_member_who_returns_reads_how_much_of_the_top_up_paid_off_a_debt(tab, buyer):
    spent = paid(buyer)
    spend(buyer, 700)
    told(spent, refunded(spent))
    payment = begun(buyer, back="/play/new/")
    told(payment, paid_facts(payment))
    back = tab.get(reverse("shop:payment_return", args=[payment.public_id]), follow=True)
    assert back.redirect_chain == [("/play/new/", 302)]
    assert "You received 1000 credits. 700 of them were used to pay your debt." in text_of(back)
    assert "700 of them were used to pay your debt." in text_of(tab.get(page_of(payment)))
    assert available(buyer) == 300


def test_refusal_by_a_chosen_limit_names_the_payments_that_are_still_open(tab, buyer):
    pack(1000)
    set_limits(buyer.pk, {Kind.DEPOSIT_DAY: 1500}, timezone.now())
    text = "Your payments that are still open count too"
    press(tab)
    answer = press(tab)
    assert answer["Refusal"] == "own_deposit"
    assert text in text_of(tab.get(answer["Location"]))
    Payment.objects.update(state="EXPIRED")
    set_limits(buyer.pk, {Kind.DEPOSIT_DAY: 900}, timezone.now())
    assert text not in text_of(tab.get(press(tab)["Location"]))


def test_open_payment_cannot_be_paid_from_the_site_during_a_break(tab, buyer):
    pack(1000)
    fields = fields_of(tab)
    checkout = tab.post(START, fields).url
    [payment] = Payment.objects.all()
    page = page_of(payment)
    assert checkout in text_of(tab.get(page))
    exclusions.begin(buyer.pk, "week", timezone.now())
    for query in ({}, {"returned": "1"}):
        shown = text_of(tab.get(page, query))
        assert "You are taking a time-out until" in shown
        assert checkout not in shown
    assert tab.post(START, fields).headers["Refusal"] == "excluded"


def test_way_back_leads_to_no_other_site(tab, buyer):
    pack(1000)
    press(tab, next="https://example.com/")
    assert Payment.objects.get().back == ""
    payment = paid(buyer, 300)
    address = reverse("shop:payment_return", args=[payment.public_id])
    for back in ("https://example.com/", "//example.com/"):
        Payment.objects.update(back=back)
        assert tab.get(address)["Location"] == page_of(payment)
        assert "example.com" not in text_of(tab.get(page_of(payment)))


def test_page_after_the_provider_asks_the_buyer_not_to_pay_again(tab, buyer):
    pack(1000)
    press(tab)
    payment = Payment.objects.get()
    assert "Waiting for your payment" in text_of(tab.get(page_of(payment)))
    back = tab.get(reverse("shop:payment_return", args=[payment.public_id]))
    assert back["Location"] == f"{page_of(payment)}?returned=1"
    text = text_of(tab.get(back["Location"]))
    assert "If you have paid, do not pay again" in text
    assert "Waiting for your payment" not in text
    assert f'hx-get="{back["Location"]}"' in text
    assert "button-quiet" in re.search(r"<a class=.([^>]*)>I have not paid yet", text)[1]


def test_list_of_payments_is_the_members_own_and_has_an_empty_state(tab, buyer):
    assert "No payments yet" in text_of(tab.get(OWN))
    mine, other = paid(buyer), paid(player("other5", credits=0))
    text = text_of(tab.get(OWN))
    assert (mine.public_id in text, other.public_id in text) == (True, False)


def test_only_the_member_and_staff_with_permission_see_a_receipt(tab, buyer):
    payment = paid(buyer)
    url = page_of(payment)
    assert "Receipt" in text_of(tab.get(url))
    assert sign_in(Client(), member("stranger12")).get(url).status_code == 404
    boss, clerk = staff("person1"), staff("clerk5")
    assert "buyer5" in text_of(sign_in(Client(), boss).get(url))
    User.objects.filter(pk=clerk.pk).update(is_superuser=False)
    assert sign_in(Client(), User.objects.get(pk=clerk.pk)).get(url).status_code == 404
    User.objects.filter(pk=boss.pk).update(is_staff=False)  # but with the permission
    assert sign_in(Client(), User.objects.get(pk=boss.pk)).get(url).status_code == 404


def test_staff_who_open_the_way_back_are_shown_the_payment(buyer):
    payment = begun(buyer, back="/play/new/")
    boss = sign_in(Client(), staff("person1"))
    address = reverse("shop:payment_return", args=[payment.public_id])
    assert boss.get(address)["Location"] == page_of(payment)
    told(payment, paid_facts(payment))
    back = boss.get(address, follow=True)
    assert back.redirect_chain == [(page_of(payment), 302)]
    assert "You received" not in text_of(back)
    assert sign_in(Client(), buyer).get(address)["Location"] == "/play/new/"


def test_debt_is_shown_on_credits_packs_and_payments(tab, buyer):
    payment = paid(buyer)
    spend(buyer, 700)
    told(payment, refunded(payment))
    for path in ("/credits/", PACKS, OWN, page_of(payment)):
        assert "You owe 700 credits" in text_of(tab.get(path)), path
    pack(1000)
    assert "700 of them pay your debt; 300 are yours." in text_of(tab.get(PACKS))


def test_pages_on_which_credits_are_missing_link_to_the_packs_and_back(tab):
    pack(1000)
    for path in ("/play/new/", "/shop/gifts/?next=/play/new/"):
        assert f"{PACKS}?next=/play/new/" in text_of(tab.get(path)), path


def test_account_can_be_closed_with_a_debt_but_not_with_an_open_payment(buyer):
    payment = begun(buyer)
    with pytest.raises(Refused) as refusal:
        closing.close(buyer.pk, NOW)
    assert refusal.value.code == "payment_open"
    told(payment, Facts(payment.public_id, ended="EXPIRED"))
    Debt.objects.create(user=buyer, credits=100)
    closing.close(buyer.pk, NOW)
    assert Debt.objects.get().credits == 100


def test_payment_that_comes_after_the_account_was_closed_is_refunded(buyer):
    payment = begun(buyer)
    told(payment, Facts(payment.public_id, ended="EXPIRED"))
    closing.close(buyer.pk, NOW)
    SandboxCheckout.objects.update(state="PAID")
    told(payment, bank().find(payment.reference))
    assert payment.awaits_refund
    checks.settle_due(NOW + timedelta(minutes=1))
    payment.refresh_from_db()
    assert (payment.state, available(buyer)) == ("REFUNDED", 0)


def test_late_message_does_not_refund_a_payment_made_before_the_account_was_closed(buyer):
    payment = paid(buyer)
    closing.close(buyer.pk, NOW)
    told(payment, paid_facts(payment, refunded=payment.amount // 10))
    told(payment, paid_facts(payment, dispute="WON"))
    assert payment.refund_asked_at is None


def test_data_export_has_payments_and_debt(buyer):
    payment = paid(buyer)
    spend(buyer, 700)
    told(payment, refunded(payment))
    found = personal_data.of(buyer.pk)
    assert [row["public_id"] for row in found["payments"]] == [payment.public_id]
    assert found["owed_credits"] == 700
