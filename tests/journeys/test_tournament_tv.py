"""The page "Watch the round" (TV): a live table, and the next one when its match is over."""

from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.engine.sides import Side
from tests.journeys.duel import in_own_thread
from tests.journeys.test_access import assert_accessible
from tests.journeys.visitors import DESK, PHONE, set_language, tournament_in_first_round
from tests.tournaments.factories import Table, TournamentRun

begun = partial(tournament_in_first_round, rules={"length": 3})


def open_tv(open_context: Any, live: str, run: TournamentRun, **options: Any) -> Page:
    context = open_context(**options)
    set_language(context, live, "en")
    page: Page = context.new_page()
    page.goto(f"/tournaments/{run.tournament.public_id}/tv/")
    return page


def name_of_white(page: Page, table: Table) -> Any:
    """Return the place where the page names White of a table."""
    return page.locator("#content").get_by_text(table.users[Side.WHITE].username).first


@pytest.mark.parametrize("viewport", [PHONE, DESK])
def test_the_next_table_follows_when_the_first_is_over(
    open_context: Any, unhurried: None, live: str, viewport: Any
) -> None:
    run, (first, second) = in_own_thread(begun)
    page = open_tv(open_context, live, run, viewport=viewport)
    table = page.locator("[data-part=table]")
    expect(table).to_have_attribute("data-status", "live")
    expect(name_of_white(page, first)).to_be_visible()
    assert_accessible(page, "en")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.clock.install()
    in_own_thread(lambda: first.sit().do("resign_match"))
    expect(page.get_by_text("The next table follows in 15 seconds.")).to_be_visible()
    expect(page.get_by_role("link", name="Stay at this table")).to_be_visible()
    page.clock.fast_forward(15_000)
    expect(name_of_white(page, second)).to_be_visible()
    expect(table).to_have_attribute("data-status", "live")


def test_without_scripts_a_drawn_board_is_shown(
    open_context: Any, unhurried: None, live: str
) -> None:
    run, _ = in_own_thread(begun)
    page = open_tv(open_context, live, run, viewport=PHONE, java_script_enabled=False)
    expect(page).to_have_url(f"{live}/tournaments/{run.tournament.public_id}/tv/?still=1")
    expect(page.get_by_role("heading", name="Live now")).to_be_visible()
    expect(page.locator(".showcase-board svg").first).to_be_visible()
