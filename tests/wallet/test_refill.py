"""Refills: up to the minimum, once a day for a mailbox, never while something is reserved."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connections
from django.test import Client
from django.utils import timezone

from accounts.closing import services as closing
from accounts.models import User
from accounts.shared.transactions import write_transaction
from tests.accounts.factories import UserFactory, member, sign_in, staff
from tests.wallet.factories import AccountFactory, player
from wallet import personal_data
from wallet.errors import NoRefill
from wallet.models import GiftSwitch, Refill, Transfer
from wallet.money import House
from wallet.selectors import earned_credits, funds_of
from wallet.services import accounts, holds, refill, transfers
from wallet.services.transfers import Cause

NOW = timezone.now()
TRIAL = Cause("trial")
pytestmark = pytest.mark.django_db


def give(user: User, now: datetime = NOW) -> int:
    """Return the credits after a refill up to 10."""
    with write_transaction():
        refill.give(user.pk, 10, now)
    return funds_of(user.pk).available


def refused(user: User, now: datetime = NOW) -> NoRefill:
    before = funds_of(user.pk), Transfer.objects.count(), list(Refill.objects.values())
    with pytest.raises(NoRefill) as refusal, write_transaction():
        refill.give(user.pk, 10, now)
    assert (funds_of(user.pk), Transfer.objects.count(), list(Refill.objects.values())) == before
    return refusal.value


def lose_all(user: User) -> None:
    credits = funds_of(user.pk).available
    with write_transaction():
        account, rake = accounts.of_user(user.pk), accounts.house(House.RAKE)
        key = f"lost:{Transfer.objects.count()}"
        transfers.post(key, TRIAL, {account.pk: -credits, rake.pk: credits}, NOW)


@pytest.mark.parametrize("credits", [0, 1, 9])
def test_member_below_the_minimum_gets_what_is_missing(credits):
    poor = player("poor5", credits=credits)
    assert give(poor) == 10
    transfer = Transfer.objects.get(cause="refill")
    assert transfer.entries.get(account__user=poor).amount_credits == 10 - credits


@pytest.mark.parametrize("credits", [10, 500])
def test_member_with_the_minimum_gets_nothing(credits):
    assert refused(player("rich5", credits=credits)).code == "enough"


def test_reserved_credits_come_back_first():
    poor = player("poor5", credits=5)
    with write_transaction():
        held = holds.open("stake", accounts.of_user(poor.pk).pk, 5, TRIAL, NOW)
    assert refused(poor).code == "reserved"
    with write_transaction():
        holds.release(held.pk, NOW)
    assert give(poor) == 10


def test_refill_comes_once_in_24_hours():
    poor = player("poor5", credits=0)
    give(poor)
    assert refused(poor).code == "enough"
    lose_all(poor)
    almost = NOW + timedelta(hours=23, minutes=30)
    refusal = refused(poor, almost)
    assert (refusal.code, refusal.wait_s) == ("today", 1800)
    assert refill.wait_of(poor.pk, almost) == 1800
    assert give(poor, NOW + timedelta(days=1)) == 10
    lose_all(poor)
    assert refused(poor, NOW + timedelta(days=1, hours=1)).wait_s == 23 * 3600


def test_second_account_of_a_mailbox_gets_no_second_refill():
    one = UserFactory(username="one5", member=True, email="person.one@gmail.com")
    other = UserFactory(username="other5", member=True, email="personone+2@gmail.com")
    give(one)
    assert refused(other).code == "today"
    assert give(other, NOW + timedelta(days=1)) == 10
    lose_all(one)
    assert refused(one, NOW + timedelta(days=1, minutes=1)).code == "today"


def test_account_after_a_closed_one_of_the_same_mailbox_is_not_stuck():
    first = member("first5")
    address = first.email
    lose_all(first)
    give(first)
    closing.close(first.pk, NOW)
    second = UserFactory(username="second5", member=True, email=address)
    assert refused(second).code == "today"
    assert give(second, NOW + timedelta(days=1)) == 10


def test_account_without_a_proved_mailbox_gets_none():
    assert refused(UserFactory(username="nobody5", member=True, email="")).code == "unproved"


def test_new_identity_key_does_not_bring_a_second_refill(settings):
    poor = player("poor5", credits=0)
    give(poor)
    lose_all(poor)
    settings.IDENTITY_KEYS = ["a-newer-key", *settings.IDENTITY_KEYS]
    assert refused(poor).code == "today"


def test_refill_is_in_the_data_export():
    poor = player("poor5", credits=0)
    assert personal_data.of(poor.pk)["refills"] == []
    give(poor)
    (row,) = personal_data.of(poor.pk)["refills"]
    assert row["given_at"] == NOW


def test_refill_is_a_gift_that_raises_no_limit():
    poor = player("poor5", credits=0)
    give(poor)
    assert earned_credits(poor.pk) == 0


@pytest.mark.django_db(transaction=True)
def test_two_accounts_of_a_mailbox_at_once_get_one_refill():
    people = [
        UserFactory(username=f"person{number}", member=True, email=f"one+{number}@gmail.com")
        for number in range(2)
    ]
    for user in people:
        AccountFactory(user=user)
    barrier = Barrier(len(people))

    def ask(user: User) -> bool:
        try:
            barrier.wait()
            give(user)
            return True
        except NoRefill:
            return False
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(people)) as pool:
        assert sorted(pool.map(ask, people)) == [False, True]
    assert Transfer.objects.filter(cause="refill").count() == 1


# --- The switch of staff -------------------------------------------------------------------------

ADMIN = "/admin/wallet/giftswitch/"


@pytest.fixture
def gift() -> GiftSwitch:
    return GiftSwitch.objects.get_or_create(cause="refill")[0]


def flip(client: Client, gift: GiftSwitch, action: str, reason: str = "The shop opens") -> int:
    chosen = {"action": action, "_selected_action": [gift.pk]}
    answer = client.post(ADMIN, {**chosen, "confirmed": "yes", "reason": reason}, follow=True)
    return answer.status_code


def test_staff_switch_refills_off_and_on_with_a_reason(client, gift):
    sign_in(client, staff("person1"))
    poor = player("poor5", credits=3)
    assert "Back to the minimum stake" in client.get(ADMIN).content.decode()
    assert flip(client, gift, "switch_off", reason="") == 422
    assert flip(client, gift, "switch_off") == 200
    assert refused(poor).code == "off"
    assert flip(client, gift, "switch_on") == 200
    assert give(poor) == 10
    messages = list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True))
    assert messages == ["Switched off: The shop opens", "Switched on: The shop opens"]


def test_staff_without_the_permission_cannot_switch(client, gift):
    clerk = staff("clerk5")
    User.objects.filter(pk=clerk.pk).update(is_superuser=False)
    sign_in(client, User.objects.get(pk=clerk.pk))
    flip(client, gift, "switch_off")
    gift.refresh_from_db()
    assert gift.is_on


def test_refills_are_given_without_a_row():
    GiftSwitch.objects.all().delete()
    assert refill.is_given()
