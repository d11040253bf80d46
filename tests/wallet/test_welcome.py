"""The first part of the welcome credits is given once, at activation."""

from datetime import timedelta

import pytest

from accounts.signals import member_activated
from tests.accounts.factories import UserFactory
from tests.wallet.factories import NOW, AccountFactory, house
from wallet.models import Account, Transfer
from wallet.money import House
from wallet.selectors import funds_of
from wallet.services import transfers, welcome

pytestmark = pytest.mark.django_db


@pytest.fixture
def newcomer():
    return UserFactory(username="newcomer")


@pytest.mark.parametrize(("total", "first"), [(700, 100), (100, 100), (30, 30)])
def test_activation_brings_the_first_part_of_the_welcome_credits(newcomer, settings, total, first):
    settings.WELCOME_CREDITS = total
    member_activated.send(sender=None, user_id=newcomer.pk, now=NOW)
    assert funds_of(newcomer.pk).available == first


def test_an_unactivated_account_has_no_credits(newcomer):
    assert funds_of(newcomer.pk).total == 0


def test_welcome_credits_are_given_once(newcomer, settings):
    first = welcome.give(newcomer.pk, NOW)
    settings.WELCOME_CREDITS += 1
    assert welcome.give(newcomer.pk, NOW + timedelta(days=1)) == first
    assert funds_of(newcomer.pk).available == welcome.PART_CREDITS


def test_a_member_who_got_all_welcome_credits_at_once_gets_no_more_parts(newcomer):
    account = AccountFactory(user=newcomer)
    amounts = {house(House.GIFTS).id: -1000, account.id: 1000}
    transfers.post(f"welcome:{newcomer.pk}", transfers.Cause("welcome"), amounts, NOW)
    assert welcome.give(newcomer.pk, NOW) == Transfer.objects.get()
    assert welcome.give_next(newcomer.pk, "event", NOW) is None
    assert funds_of(newcomer.pk).available == 1000


def test_zero_welcome_credits_still_open_the_account(newcomer, settings):
    settings.WELCOME_CREDITS = 0
    assert welcome.give(newcomer.pk, NOW) is None
    assert Transfer.objects.count() == 0
    assert Account.objects.get(user=newcomer).balance_credits == 0
