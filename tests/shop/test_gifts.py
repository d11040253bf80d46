"""A person with few credits may take one gift every four hours."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry
from django.db import connections
from django.test import Client

from accounts.closing import services as closing
from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from shop import personal_data, selectors
from shop.models import LastGift
from shop.services import gifts
from tests.accounts.factories import UserFactory, member, sign_in, staff
from tests.support.lengths import length
from tests.support.patience import new_barrier
from tests.wallet.factories import player
from wallet.models import GiftSwitch, Transfer
from wallet.money import House
from wallet.selectors import earned_credits, funds_of
from wallet.services import accounts, holds, transfers
from wallet.services.transfers import Cause

NOW = datetime(2026, 11, 22, 9, 30, tzinfo=UTC)
WINDOW = timedelta(hours=4)
TRIAL = Cause("trial")
PRESSES = 50  # number of presses by one member
THREADS = length(10, 50)  # number of presses at the same moment
pytestmark = pytest.mark.django_db


def take(user: User, now: datetime = NOW) -> int:
    """Take a gift; return the credits afterwards."""
    gifts.take(user, now)
    return funds_of(user.pk).available


def refused(user: User, now: datetime = NOW) -> Refused:
    before = funds_of(user.pk), Transfer.objects.count(), list(LastGift.objects.values())
    with pytest.raises(Refused) as refusal:
        gifts.take(user, now)
    assert before == (
        funds_of(user.pk),
        Transfer.objects.count(),
        list(LastGift.objects.values()),
    )
    return refusal.value


def in_header(user: User, now: datetime) -> selectors.GiftOffer | None:
    return selectors.offer_in_header(user, funds_of(user.pk), now)


def on_page(user: User, now: datetime) -> selectors.GiftOffer | None:
    return selectors.offer_of(user, funds_of(user.pk), now)


def test_a_gift_can_be_taken_once_in_a_window():
    poor = player("poor5", credits=3)
    assert take(poor) == 28
    almost = NOW + WINDOW - timedelta(minutes=1)
    refusal = refused(poor, almost)
    assert (refusal.code, refusal.details["wait_s"]) == ("gift_wait", 60)
    assert take(poor, NOW + WINDOW) == 53
    assert Transfer.objects.filter(cause="gift").count() == 2


@pytest.mark.parametrize(("credits", "is_given"), [(0, True), (249, True), (250, False)])
def test_only_members_with_few_credits_get_a_gift(credits, is_given):
    user = player("some5", credits=credits)
    if is_given:
        assert take(user) == credits + 25
    else:
        assert refused(user).code == "gift_enough"
    assert bool(in_header(user, NOW + WINDOW)) == (credits + 25 * is_given < 250)


def test_reserved_credits_count_towards_the_limit_of_a_gift():
    user = player("some5", credits=260)
    with write_transaction():
        holds.open("stake", accounts.of_user(user.pk).pk, 250, TRIAL, NOW)
    assert refused(user).code == "gift_enough"


def test_an_account_not_activated_or_without_a_proved_identity_gets_no_gift():
    waiting = player("poor5", credits=0)
    User.objects.filter(pk=waiting.pk).update(activated_at=None)
    waiting.refresh_from_db()
    assert refused(waiting).code == "not_member"
    assert on_page(waiting, NOW) is None
    assert in_header(waiting, NOW) is None
    unproved = UserFactory(username="nobody5", member=True, email="")
    assert refused(unproved).code == "gift_unproved"


def test_second_account_of_a_mailbox_gets_no_second_gift():
    one = UserFactory(username="one5", member=True, email="person.one@gmail.com")
    other = UserFactory(username="other5", member=True, email="personone+2@gmail.com")
    take(one)
    assert refused(other).code == "gift_wait"
    assert on_page(other, NOW).wait_s == WINDOW.total_seconds()
    take(other, NOW + WINDOW)
    assert refused(one, NOW + WINDOW + timedelta(minutes=1)).code == "gift_wait"


def test_exchanged_identity_brings_no_second_gift_in_a_window():
    """A member connects a second Google account and disconnects the first one."""
    poor = UserFactory(username="poor5", member=True, email="")
    SocialAccount.objects.create(user=poor, provider="google", uid="1")
    assert take(poor) == 25
    SocialAccount.objects.create(user=poor, provider="google", uid="2")
    SocialAccount.objects.get(uid="1").delete()
    soon = NOW + timedelta(minutes=40)
    assert refused(poor, soon).code == "gift_wait"
    assert on_page(poor, soon) == in_header(poor, soon)
    assert take(poor, NOW + WINDOW) == 50
    assert len(personal_data.of(poor.pk)["gifts"]) == 2


def test_account_after_a_closed_one_of_the_same_mailbox_gets_gifts():
    first = member("first5")
    address = first.email
    funds = funds_of(first.pk).available
    with write_transaction():
        account, rake = accounts.of_user(first.pk), accounts.house(House.RAKE)
        transfers.post("lost", TRIAL, {account.pk: -funds, rake.pk: funds}, NOW)
    take(first)
    closing.close(first.pk, NOW)
    second = UserFactory(username="second5", member=True, email=address)
    assert refused(second).code == "gift_wait"
    take(second, NOW + WINDOW)


def test_new_identity_key_does_not_bring_a_second_gift(settings):
    poor = player("poor5", credits=0)
    take(poor)
    settings.IDENTITY_KEYS = ["a-newer-key", *settings.IDENTITY_KEYS]
    assert refused(poor).code == "gift_wait"


def test_a_gift_adds_no_earned_credits_and_is_in_the_data_export():
    poor = player("poor5", credits=0)
    assert personal_data.of(poor.pk)["gifts"] == []
    take(poor)
    assert earned_credits(poor.pk) == 0
    (row,) = personal_data.of(poor.pk)["gifts"]
    assert (row["taken_at"], row["days"]) == (NOW, 1)


def test_days_in_a_row_raise_the_first_gift_of_a_day(settings):
    settings.GIFT_STREAK_CREDITS = 5
    poor = player("poor5", credits=0)
    given, now = [], NOW
    for _day in range(9):
        given.append(gifts.take(poor, now))
        spend_all(poor, now)
        now += timedelta(days=1)
    assert given == [25, 30, 35, 40, 45, 50, 55, 55, 55]
    assert gifts.take(poor, now - timedelta(hours=19)) == 25  # the second gift of a day
    assert gifts.take(poor, now + timedelta(days=2)) == 25  # after days without a gift


def spend_all(user: User, now: datetime) -> None:
    credits = funds_of(user.pk).available
    with write_transaction():
        account, rake = accounts.of_user(user.pk), accounts.house(House.RAKE)
        key = f"spent:{Transfer.objects.count()}"
        transfers.post(key, TRIAL, {account.pk: -credits, rake.pk: credits}, now)


def test_header_and_page_agree_before_and_after_a_gift():
    poor = player("poor5", credits=0)
    for now in (NOW, NOW + timedelta(hours=1), NOW + WINDOW):
        assert in_header(poor, now) == on_page(poor, now)
    take(poor)
    for now in (NOW, NOW + timedelta(hours=1), NOW + WINDOW):
        assert in_header(poor, now) == on_page(poor, now)
    assert in_header(poor, NOW + timedelta(hours=1)).wait_s == 3 * 3600
    assert in_header(poor, NOW + WINDOW).is_ready


def test_header_takes_one_query(django_assert_num_queries):
    poor = player("poor5", credits=0)
    funds = funds_of(poor.pk)
    with django_assert_num_queries(1):
        selectors.offer_in_header(poor, funds, NOW)


# --- At the same moment --------------------------------------------------------------------------


def answers_of(users: list[User]) -> Counter[str]:
    """Take a gift for each user in the list, THREADS at a time; count the answers."""
    barrier = new_barrier(THREADS)

    def press(user: User) -> str:
        try:
            barrier.wait()
            gifts.take(user, NOW)
            return "taken"
        except Refused as refusal:
            return refusal.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        return Counter(pool.map(press, users))


@pytest.mark.django_db(transaction=True)
def test_many_presses_at_once_bring_one_gift():
    poor = player("poor5", credits=0)
    assert answers_of([poor] * PRESSES) == {"taken": 1, "gift_wait": PRESSES - 1}
    assert Transfer.objects.filter(cause="gift").count() == 1
    assert funds_of(poor.pk).available == 25


@pytest.mark.django_db(transaction=True)
def test_accounts_of_one_mailbox_at_once_get_one_gift():
    people = [
        UserFactory(username=f"person{number}", member=True, email=f"one+{number}@gmail.com")
        for number in range(THREADS)
    ]
    assert answers_of(people) == {"taken": 1, "gift_wait": THREADS - 1}
    assert Transfer.objects.filter(cause="gift").count() == 1


# --- The switch of staff -------------------------------------------------------------------------

ADMIN = "/admin/wallet/giftswitch/"


@pytest.fixture
def gift() -> GiftSwitch:
    return GiftSwitch.objects.get_or_create(cause="gift")[0]


def flip(client: Client, gift: GiftSwitch, action: str, reason: str = "Too generous") -> int:
    chosen = {"action": action, "_selected_action": [gift.pk]}
    answer = client.post(ADMIN, {**chosen, "confirmed": "yes", "reason": reason}, follow=True)
    return answer.status_code


def test_staff_switch_gifts_off_and_on_with_a_reason(client, gift):
    sign_in(client, staff("person1"))
    poor = player("poor5", credits=3)
    assert "Gift" in client.get(ADMIN).content.decode()
    assert flip(client, gift, "switch_off", reason="") == 422
    assert flip(client, gift, "switch_off") == 200
    assert refused(poor).code == "gift_off"
    assert in_header(poor, NOW) is None
    assert on_page(poor, NOW) is None
    assert flip(client, gift, "switch_on") == 200
    assert take(poor) == 28
    messages = list(LogEntry.objects.order_by("pk").values_list("change_message", flat=True))
    assert messages == ["Switched off: Too generous", "Switched on: Too generous"]


def test_staff_without_the_permission_cannot_switch(client, gift):
    clerk = staff("clerk5")
    User.objects.filter(pk=clerk.pk).update(is_superuser=False)
    sign_in(client, User.objects.get(pk=clerk.pk))
    flip(client, gift, "switch_off")
    gift.refresh_from_db()
    assert gift.is_on


def test_gifts_are_given_while_no_switch_is_stored():
    GiftSwitch.objects.all().delete()
    poor = player("poor5", credits=0)
    assert in_header(poor, NOW) == on_page(poor, NOW)
    assert take(poor) == 25
    assert in_header(poor, NOW) == on_page(poor, NOW)
