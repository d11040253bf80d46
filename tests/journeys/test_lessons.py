"""The lessons in a browser: a play on the board, and the same without script."""

import pytest
from playwright.sync_api import expect

from accounts.profile import preferences
from tests.accounts.factories import member
from tests.journeys.player import Player
from tests.journeys.test_access import assert_accessible
from tests.journeys.visitors import DESK, PHONE, come_as_member

HITTING = "/en/lessons/short/hitting/"


def center(page):
    """Scroll the board out from under the navigation bar."""
    page.get_by_test_id("board").evaluate("board => board.scrollIntoView({ block: 'center' })")


def test_a_lesson_is_played_on_the_board_of_a_phone(open_context, live):
    page = open_context(viewport=PHONE, has_touch=True).new_page()
    page.goto(HITTING)
    check = page.get_by_test_id("exercise-check")
    expect(check).to_be_disabled()
    center(page)
    player = Player(page, page.touchscreen.tap)
    player.press_place(13)  # the larger die first
    player.press_place(6)
    page.get_by_test_id("exercise-undo").click()
    player.press_place(24)
    check.click()
    verdict = page.get_by_test_id("verdict")
    expect(verdict).to_have_attribute("data-grade", "again")
    center(page)
    player.press_place(24)
    player.press_place(6)
    check.click()
    expect(verdict).to_have_attribute("data-grade", "full")
    expect(verdict).to_be_focused()
    assert_accessible(page, "en")


def test_boards_have_the_members_looks_on_a_device_without_a_table_yet(open_context, live, on_site):
    anna = on_site(member, "Anna77")
    on_site(preferences.choose, anna.pk, board="night")
    context = open_context(viewport=PHONE)
    come_as_member(context, live, anna)
    page = context.new_page()
    for address in (HITTING, "/en/rules/short/?try=hit"):
        page.goto(address)
        expect(page.locator("[data-part=exercise-board]")).to_have_attribute("data-board", "night")


@pytest.mark.parametrize("variant", ["short", "long"])
def test_the_list_and_its_first_lesson_are_accessible(open_context, live, variant):
    page = open_context(viewport=DESK).new_page()
    page.goto(f"/en/lessons/{variant}/")
    assert_accessible(page, "en")
    page.get_by_role("link", name="Start").click()
    assert_accessible(page, "en")


def test_a_lesson_works_without_script(open_context, live):
    page = open_context(viewport=PHONE, java_script_enabled=False).new_page()
    page.goto(HITTING)
    page.get_by_label("24/20* 6/5").check()
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_test_id("verdict")).to_have_attribute("data-grade", "full")
    page.get_by_role("link", name="Next lesson").click()
    expect(page.get_by_role("heading", name="The bar", exact=True)).to_be_visible()
