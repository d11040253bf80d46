"""A spectator leaves a table for the list of games, on a phone in both directions and on a desk."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.games.factories import StakeSitting
from tests.journeys.duel import in_own_thread, seasoned
from tests.journeys.visitors import DESK, PHONE, set_language

SIDEWAYS = {"width": 844, "height": 390}


@pytest.mark.parametrize(
    ("size", "language"),
    [(PHONE, "ru"), (SIDEWAYS, "tr"), (DESK, "en")],
    ids=["390", "844", "1280"],
)
def test_a_spectator_goes_back_to_the_games_by_one_press(
    unhurried: None, open_context: Any, live: str, size: dict[str, int], language: str
) -> None:
    sitting = in_own_thread(lambda: StakeSitting(seasoned("anna"), seasoned("boris")))
    touch = {"has_touch": True, "is_mobile": True} if size is not DESK else {}
    context = open_context(viewport=size, **touch)
    set_language(context, live, language)
    page = context.new_page()
    page.goto(f"/match/{sitting.public_id}/")
    expect(page.locator("[data-watching]")).to_be_visible()
    way_out = page.get_by_test_id("exit")
    expect(way_out).to_be_in_viewport(ratio=1)
    way_out.click()
    expect(page).to_have_url(f"{live}/play/")
    expect(page.locator("#running-title")).to_be_visible()
