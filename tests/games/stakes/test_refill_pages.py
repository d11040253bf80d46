"""The button on the page of credits that brings a member back to the minimum stake."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.engine.sides import Side
from tests.games.factories import StakeSitting
from tests.lobby.factories import SeekFactory
from tests.wallet.factories import player
from wallet.models import GiftSwitch
from wallet.selectors import funds_of

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

CREDITS = "/credits/"
REFILL = "/credits/refill/"


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(user: User, **query: str) -> str:
    return browser(user).get(CREDITS, query).content.decode()


def take(user: User, **fields: str) -> Any:
    return browser(user).post(REFILL, fields)


def test_page_of_credits_says_the_rule_to_everybody():
    text = page(player("rich5"))
    assert "you can get back to 10 here once a day" in text
    assert REFILL not in text


def test_button_gives_what_is_missing_and_says_so():
    poor = player("poor5", credits=3)
    assert "Get 7 credits" in page(poor)
    answer = browser(poor).post(REFILL, follow=True)
    assert answer.redirect_chain == [(CREDITS, 302)]
    text = answer.content.decode()
    assert "You received 7 credits." in text
    assert "Back to the minimum stake" in text
    assert funds_of(poor.pk).available == 10


def test_refill_leads_back_to_the_page_that_needed_it():
    assert 'name="next" value="/play/new/"' in page(player("poor5", credits=0), next="/play/new/")
    assert take(player("other5", credits=0), next="/play/new/")["Location"] == "/play/new/"
    assert take(player("third5", credits=0), next="https://example.com/")["Location"] == CREDITS


def test_second_refill_of_the_day_is_refused_with_the_time_to_wait():
    poor = player("poor5", credits=5)
    take(poor)
    sitting = StakeSitting(poor, player("other5"), stake=10).sit().start_game()
    assert funds_of(poor.pk).total == 0
    assert REFILL not in page(poor)  # the stake is in the match
    assert take(poor)["Refusal"] == "busy"
    sitting.do("resign_match", side=Side.WHITE)
    text = page(poor)
    assert "again in 24 hours" in text
    assert REFILL not in text
    assert take(poor)["Refusal"] == "refill_today"
    refused = browser(poor).post(REFILL, follow=True)
    assert refused.content.decode().count("again in 24 hours") == 2  # the message and the page


def test_refill_is_refused_with_enough_or_reserved_credits():
    assert take(player("rich5"))["Refusal"] == "refill_enough"
    waits = player("waits5", credits=15)
    SeekFactory(owner=waits, stake=10)
    assert REFILL not in page(waits)
    assert take(waits)["Refusal"] == "refill_reserved"


def test_nothing_is_promised_while_staff_have_switched_it_off():
    GiftSwitch.objects.update_or_create(cause="refill", defaults={"is_on": False})
    poor = player("poor5", credits=3)
    assert "once a day" not in page(poor)
    assert take(poor)["Refusal"] == "refill_off"
    assert funds_of(poor.pk).available == 3


def test_unactivated_account_gets_no_refill():
    poor = player("poor5", credits=0)
    User.objects.filter(pk=poor.pk).update(activated_at=None)
    assert "once a day" not in page(poor)
    assert take(poor)["Refusal"] == "not_member"


def test_form_to_create_a_game_leads_a_member_without_credits_to_the_refill():
    text = browser(player("poor5", credits=3)).get("/play/new/").content.decode()
    assert "/credits/?next=/play/new/" in text
