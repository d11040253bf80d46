"""A board is bought in two tabs and seen at the table, against an opponent who sees their own."""

import re

import pytest
from playwright.sync_api import expect

from shop.models import OwnedGood
from tests.journeys.duel import Duel, in_own_thread
from tests.journeys.test_access import assert_accessible
from tests.journeys.test_choices import await_account
from tests.journeys.visitors import DESK, NARROW, PHONE, come_as_member, set_language
from tests.shop.goods_factories import good, owned
from tests.support.lengths import IS_LONG
from tests.wallet.factories import player
from wallet.selectors import funds_of

TABLE = "[data-part=table]"
WALNUT = "/shop/boards/walnut/"
LOOKS = {"narrow": (NARROW, "tr"), "phone": (PHONE, "ru"), "desk": (DESK, "en")}


def test_board_bought_in_two_tabs_is_seen_by_its_owner_only(unhurried, open_context, live):
    in_own_thread(good, "board", "walnut", 300)
    duel = Duel(open_context, live)
    before = funds_of(duel.joiner.pk).available
    tabs = [duel.desk.context.new_page() for _ in range(2)]
    for tab in tabs:
        tab.goto(WALNUT)
        tab.get_by_test_id("buy").click()
        expect(tab.get_by_test_id("after")).to_have_text(f"{before - 300}")
    for tab in tabs:  # neither waits for the other's answer
        tab.evaluate("document.querySelector('.purchase form').submit()")
    for tab in tabs:
        expect(tab.get_by_test_id("wear")).to_be_visible()
    assert funds_of(duel.joiner.pk).available == before - 300
    assert OwnedGood.objects.count() == 1
    for tab in tabs:  # each would follow its member to the table
        tab.close()
    duel.announce("short")
    duel.join()
    expect(duel.desk.locator(TABLE)).to_have_attribute("data-board", "classic")
    await_account(duel.desk)
    shop = duel.desk.context.new_page()
    shop.goto(WALNUT)
    shop.get_by_test_id("wear").click()
    expect(shop.locator(".look-worn")).to_be_visible()
    expect(duel.desk.locator(TABLE)).to_have_attribute("data-board", "walnut")  # at once
    expect(duel.phone.locator(TABLE)).to_have_attribute("data-board", "classic")
    duel.desk.get_by_test_id("more").click()
    duel.desk.get_by_test_id("tab-looks").click()
    expect(duel.desk.locator("[data-setting=board]")).to_have_value("walnut")
    duel.desk.reload()
    expect(duel.desk.locator(TABLE)).to_have_attribute("data-board", "walnut")


@pytest.mark.parametrize("look", LOOKS)
def test_board_is_tried_out_in_play_with_chosen_checkers(open_context, live, look):
    size, language = LOOKS[look]
    in_own_thread(good, "board", "walnut", 300)
    in_own_thread(good, "checkers", "amber", 200)
    context = open_context(viewport=size)
    set_language(context, live, language)
    page = context.new_page()
    page.goto(WALNUT)
    board = page.locator(".tryout-field")
    expect(board.locator("[data-testid=point-24]")).to_be_attached()
    expect(board).to_have_attribute("data-board", "walnut")
    page.locator("#with").select_option("amber")
    expect(board).to_have_attribute("data-checkers", "amber")
    expect(page).to_have_url(re.compile(r"\?with=amber$"))
    expect(page.locator("[data-place][data-movable]").first).to_be_attached()
    page.locator("[data-place][data-movable]").first.press("Enter")
    expect(page.get_by_test_id("tryout-undo")).to_be_enabled()
    expect(page.get_by_test_id("middle-roll")).to_be_hidden()  # the dice are rolled already
    assert_accessible(page, language, [(size, "dark")], is_only_language=True)


@pytest.mark.parametrize("look", LOOKS if IS_LONG else ["desk"])
def test_pages_of_the_shop_are_accessible(open_context, live, look):
    """Check dark pages at a desk; the long form checks narrow windows and phones too.

    test_access_everywhere.py opens the same pages narrow and dark, and wide and light.
    """
    size, language = LOOKS[look]
    anna = in_own_thread(player, "anna5")
    in_own_thread(owned, anna, "board", "walnut", 300)
    in_own_thread(good, "board", "pearl", 2500)
    context = open_context(viewport=size)
    come_as_member(context, live, anna)
    set_language(context, live, language)
    page = context.new_page()
    for path in ("/shop/", "/shop/checkers/", "/shop/owned/", "/shop/boards/pearl/"):
        page.goto(path)
        assert_accessible(page, language, [(size, "dark")], is_only_language=True)


def test_shop_works_without_script(open_context, live):
    anna = in_own_thread(player, "anna5")
    in_own_thread(good, "board", "walnut", 300)
    context = open_context(viewport=PHONE, java_script_enabled=False)
    come_as_member(context, live, anna)
    page = context.new_page()
    page.goto("/shop/")
    page.get_by_role("link", name="Walnut and wine-red felt").click()
    page.get_by_test_id("buy").click()
    page.get_by_test_id("buy-confirm").click()
    page.get_by_test_id("wear").click()
    expect(page.locator(".look-worn")).to_be_visible()
    expect(page.locator("[data-part=practice-board] svg")).to_be_visible()
