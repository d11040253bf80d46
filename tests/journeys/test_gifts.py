"""A member short of credits takes a gift and returns to the game; two presses bring one gift."""

import re

from playwright.sync_api import expect

from tests.journeys.duel import in_own_thread
from tests.journeys.test_access import assert_accessible
from tests.journeys.usable import each_look
from tests.journeys.visitors import PHONE, SIDEWAYS, come_as_member, set_language
from tests.wallet.factories import player
from wallet.models import Transfer
from wallet.selectors import funds_of


@each_look
def test_gift_is_reached_from_the_form_to_create_a_game_and_leads_back(
    open_context, live, size, language
):
    poor = in_own_thread(player, "poor5", 3)
    context = open_context(viewport=size)
    come_as_member(context, live, poor)
    set_language(context, live, language)
    page = context.new_page()
    page.goto("/play/new/")
    page.locator(".notice.warning a").click()
    button = page.locator(".gift-card button")
    expect(button).to_be_in_viewport()
    if size is not SIDEWAYS:
        assert_accessible(page, language, [(size, "dark")], is_only_language=True)
    button.click()
    expect(page).to_have_url(f"{live}/play/new/")
    expect(page.locator(".messages .success")).to_contain_text("25")
    expect(page.locator(".notice.warning")).to_have_count(0)
    assert funds_of(poor.pk).available == 28
    page.goto("/shop/gifts/")
    # A slow machine takes minutes from the gift to this page.
    expect(page.locator(".gift-card [data-gift-left]")).to_have_text(
        re.compile(r"4:00:00|3:5\d:\d\d")
    )
    expect(page.locator(".gift-card button")).to_have_count(0)


def test_a_gift_pressed_in_two_tabs_comes_once(open_context, live):
    poor = in_own_thread(player, "poor5", 3)
    context = open_context(viewport=PHONE)
    come_as_member(context, live, poor)
    tabs = [context.new_page() for _ in range(2)]
    for tab in tabs:
        tab.goto("/shop/gifts/")
    # Neither tab waits for the other's answer.
    for tab in tabs:
        tab.evaluate("document.querySelector('.gift-card').submit()")
    for tab in tabs:
        expect(tab.locator(".gift-card [data-gift-left]")).to_be_visible()
    assert funds_of(poor.pk).available == 28
    assert Transfer.objects.filter(cause="gift").count() == 1
