"""On the rules page the reader plays on a diagram: on a board or, without JavaScript, by a list."""

from playwright.sync_api import expect

from tests.journeys.player import Player
from tests.journeys.test_access import assert_accessible
from tests.journeys.test_lessons import center
from tests.journeys.visitors import NARROW, PHONE

ENTER = "/en/rules/short/?try=enter#try"


def test_a_turn_of_a_diagram_is_played_on_the_board(open_context, live):
    page = open_context(viewport=PHONE, has_touch=True).new_page()
    page.goto("/en/rules/short/")
    page.locator("[data-diagram=enter]").get_by_role("link", name="Try it").click()
    check = page.get_by_test_id("exercise-check")
    expect(check).to_be_disabled()
    assert_accessible(page, "en")
    center(page)
    player = Player(page, page.touchscreen.tap)
    player.press_place(25)
    player.press_place(13)
    check.click()
    verdict = page.get_by_test_id("verdict")
    expect(verdict).to_contain_text("The rules allow this play.")
    expect(verdict).to_be_focused()
    page.get_by_role("link", name="Once more").click()
    expect(page.get_by_test_id("exercise-check")).to_be_disabled()


def test_without_script_a_play_is_chosen_from_a_list(open_context, live):
    page = open_context(viewport=NARROW, java_script_enabled=False).new_page()
    page.goto(ENTER)
    page.get_by_label("bar/19").check()
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_test_id("verdict")).to_contain_text("Point 19 is closed")
    page.get_by_role("link", name="Back to the diagram").click()
    expect(page.locator("[data-diagram=enter]")).to_be_visible()
