"""Welcome credits are given once, after activation."""

from datetime import timedelta

import pytest

from accounts.signals import member_activated
from tests.accounts.factories import UserFactory
from tests.wallet.factories import NOW
from wallet.models import Account, Transfer
from wallet.selectors import funds_of
from wallet.services import welcome

pytestmark = pytest.mark.django_db


@pytest.fixture
def newcomer():
    return UserFactory(username="newcomer")


def test_activation_brings_welcome_credits(newcomer, settings):
    settings.WELCOME_CREDITS = 700
    member_activated.send(sender=None, user_id=newcomer.pk)
    assert funds_of(newcomer.pk).available == 700


def test_an_unactivated_account_has_no_credits(newcomer):
    assert funds_of(newcomer.pk).total == 0


def test_welcome_credits_are_given_once(newcomer, settings):
    first = welcome.give(newcomer.pk, NOW)
    settings.WELCOME_CREDITS += 1
    assert welcome.give(newcomer.pk, NOW + timedelta(days=1)) == first
    assert funds_of(newcomer.pk).available == settings.WELCOME_CREDITS - 1


def test_zero_welcome_credits_still_open_the_account(newcomer, settings):
    settings.WELCOME_CREDITS = 0
    assert welcome.give(newcomer.pk, NOW) is None
    assert Transfer.objects.count() == 0
    assert Account.objects.get(user=newcomer).balance_credits == 0
