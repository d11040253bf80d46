"""A finished training match is played again from the list, left, and found there as running."""

import re

import pytest
from playwright.sync_api import expect

from games.models import Match
from tests.journeys.duel import TABLE
from tests.journeys.usable import LOOKS, assert_in_sight, assert_pressable
from tests.journeys.visitors import come_as_guest, finished_match, set_language

# The name of the page that follows, in the question before leaving and in the navigation.
PLACE = {"ru": "Тренировка", "tr": "Antrenman", "en": "Training"}


@pytest.fixture
def old(transactional_db):
    """Return a finished match. Request it before `live`, so that no worker plays it."""
    return finished_match("long", mars=True, parity=True)


def test_match_is_played_again_and_found_again_after_leaving(unhurried, old, open_context, live):
    context = open_context(has_touch=True)
    come_as_guest(context, live, old.guest)
    page = context.new_page()
    for size, language in LOOKS:
        set_language(context, live, language)
        page.set_viewport_size(size)
        page.goto("/training/matches/")
        again = page.locator(f"form[action='/match/{old.public_id}/again/'] button")
        assert_pressable(again)
        again.click()
        expect(page).to_have_url(TABLE)
        new = Match.objects.latest("pk")
        assert new.public_id in page.url
        assert new.public_id != old.public_id
        assert new.match_rules == old.match.match_rules
        leave_to_the_page_of(page, PLACE[language])
        play_on = page.locator(f".match-row a[href$='/match/{new.public_id}/']")
        assert_pressable(play_on)


def test_double_press_starts_one_match(open_context, live):
    page = open_context().new_page()
    page.goto("/training/")
    start = page.locator("main button[type=submit]").first
    with page.expect_response(re.compile("first-use")):  # the script that the first press needs
        start.hover()
    page.wait_for_load_state("networkidle")
    sent = []
    page.on("request", lambda request: sent.append(request.method))
    start.evaluate("button => { button.click(); setTimeout(() => button.click(), 20); }")
    expect(page).to_have_url(TABLE)
    assert sent.count("POST") == 1
    assert Match.objects.count() == 1


def leave_to_the_page_of(page, place):
    """Leave the table; the question names the page that follows."""
    expect(page.locator("[data-status=live]")).to_be_visible()
    page.get_by_test_id("more").click()
    tab = page.get_by_test_id("tab-match")
    if tab.is_visible():
        tab.click()
    page.get_by_test_id("leave").click()
    question, leave = page.locator("#confirm-text"), page.get_by_test_id("confirm-yes")
    expect(question).to_contain_text(place)  # its script may still be loading
    assert_in_sight(question)
    # Right after the question appears its buttons ignore presses, such as those of a double click.
    expect(page.locator("[data-part=confirm][data-settling]")).to_have_count(0)
    assert_pressable(page.get_by_test_id("confirm-no"))
    assert_pressable(leave)
    leave.click()
    expect(page).to_have_url(re.compile("/training/$"))
    expect(page.locator("[aria-current=page]:visible")).to_have_text(place)
