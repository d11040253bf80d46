"""A member with too few credits gets back to the minimum stake and to the game."""

import pytest
from playwright.sync_api import expect

from tests.journeys.duel import in_own_thread
from tests.journeys.test_access import assert_accessible
from tests.journeys.test_match_form import SIDEWAYS
from tests.journeys.visitors import DESK, PHONE, come_as_member, set_language
from tests.wallet.factories import player
from wallet.selectors import funds_of

LOOKS = {"phone": (PHONE, "ru"), "sideways": (SIDEWAYS, "tr"), "desk": (DESK, "en")}


@pytest.mark.parametrize("look", LOOKS)
def test_refill_from_the_form_to_create_a_game_and_back(open_context, live, look):
    size, language = LOOKS[look]
    poor = in_own_thread(player, "poor5", 3)
    context = open_context(viewport=size)
    come_as_member(context, live, poor)
    set_language(context, live, language)
    page = context.new_page()
    page.goto("/play/new/")
    page.locator(".notice.warning a").click()
    button = page.locator(".refill button")
    expect(button).to_be_in_viewport()
    if size is not SIDEWAYS:
        assert_accessible(page, language, [(size, "dark")], is_only_language=True)
    button.click()
    expect(page).to_have_url(f"{live}/play/new/")
    expect(page.locator(".messages .success")).to_contain_text("7")
    expect(page.locator(".notice.warning")).to_have_count(0)
    assert funds_of(poor.pk).available == 10
    page.goto("/credits/")
    expect(page.locator(".refill")).to_have_count(0)
    expect(page.locator(".movements tbody tr")).to_have_count(2)
