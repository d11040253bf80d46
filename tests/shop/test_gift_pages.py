"""The page of gifts, the header, and the pages that lead there."""

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from tests.wallet.factories import player
from wallet.models import GiftSwitch
from wallet.selectors import funds_of

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

GIFTS = "/shop/gifts/"
TAKE = "/shop/gifts/take/"
SOON = r"(4:00:00|3:59:\d\d)"


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(user: User, path: str = GIFTS, **query: str) -> str:
    return browser(user).get(path, query).content.decode()


def take(user: User, **fields: str) -> Any:
    return browser(user).post(TAKE, fields)


def test_button_gives_the_credits_and_says_so():
    poor = player("poor5", credits=3)
    assert "Take 25 credits" in page(poor)
    answer = browser(poor).post(TAKE, follow=True)
    assert answer.redirect_chain == [(GIFTS, 302)]
    text = answer.content.decode()
    assert "You received 25 credits." in text
    assert TAKE not in text
    assert re.search(SOON, text)
    assert funds_of(poor.pk).available == 28
    assert "Gift" in page(poor, "/credits/")


def test_gift_leads_back_to_the_page_that_needed_credits():
    assert 'name="next" value="/play/new/"' in page(player("poor5", credits=0), next="/play/new/")
    assert take(player("other5", credits=0), next="/play/new/")["Location"] == "/play/new/"
    assert take(player("third5", credits=0), next="https://example.com/")["Location"] == GIFTS


def test_second_press_is_refused_with_the_time_to_wait():
    poor = player("poor5", credits=5)
    take(poor)
    answer = browser(poor).post(TAKE, follow=True)
    text = answer.content.decode()
    assert re.search(rf"You have already taken this gift. The next one is ready in {SOON}", text)
    assert take(poor)["Refusal"] == "gift_wait"
    assert funds_of(poor.pk).available == 30
    again = browser(poor).post(TAKE, {"next": "/play/new/"}, follow=True)
    assert again.redirect_chain == [(f"{GIFTS}?next=%2Fplay%2Fnew%2F", 302)]
    assert 'href="/play/new/"' in again.content.decode()


def test_members_with_enough_credits_read_why_they_get_no_gift():
    rich = player("rich5")
    text = page(rich)
    assert "You have enough credits for now" in text
    assert TAKE not in text
    assert take(rich)["Refusal"] == "gift_enough"
    assert "data-gift-left" not in text
    assert "A gift is ready" not in text


def test_header_says_that_a_gift_is_ready_then_when_the_next_one_is():
    poor = player("poor5", credits=3)
    assert "A gift is ready" in page(poor, "/en/")
    take(poor)
    for path in ("/en/", "/header/"):
        text = page(poor, path)
        assert "A gift is ready" not in text
        assert text.count("data-gift-left") == 2  # beside the balance and in the menu


def test_page_offers_no_gift_while_staff_have_switched_gifts_off():
    GiftSwitch.objects.update_or_create(cause="gift", defaults={"is_on": False})
    poor = player("poor5", credits=3)
    assert "There are no gifts at the moment." in page(poor)
    assert take(poor)["Refusal"] == "gift_off"
    assert funds_of(poor.pk).available == 3


def test_form_to_create_a_game_leads_a_member_without_credits_to_the_gifts():
    text = page(player("poor5", credits=3), "/play/new/")
    assert "/shop/gifts/?next=/play/new/" in text


def test_page_explains_consecutive_days_only_while_they_raise_gifts(settings):
    poor = player("poor5", credits=3)
    assert "consecutive days" not in page(poor)
    settings.GIFT_STREAK_CREDITS = 2
    assert "is 2 credits larger than that of the day before" in page(poor)
