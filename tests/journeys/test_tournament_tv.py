"""The page "Watch the round" (TV): a live table, and the next one when its match is over."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.engine.sides import Side
from tests.journeys.duel import in_own_thread
from tests.journeys.test_access import assert_accessible
from tests.journeys.visitors import DESK, PHONE, set_language
from tests.tournaments.factories import Cup, Table
from tournaments.models import Tournament


def begun() -> tuple[Cup, list[Table]]:
    """Start a tournament of four with a game in play at both tables."""
    cup = Cup(4, rules={"length": 3})
    Tournament.objects.filter(pk=cup.tournament.pk).update(starts_at=cup.now)
    cup.tournament.refresh_from_db()
    cup.start()
    return cup, [table.sit().start_game() for table in cup.tables()]


def watch(open_context: Any, live: str, cup: Cup, **options: Any) -> Page:
    context = open_context(**options)
    set_language(context, live, "en")
    page: Page = context.new_page()
    page.goto(f"/tournaments/{cup.tournament.public_id}/tv/")
    return page


def seat_of(page: Page, table: Table) -> Any:
    """Return the place where the page names White of a table."""
    return page.locator("#content").get_by_text(table.users[Side.WHITE].username).first


@pytest.mark.parametrize("viewport", [PHONE, DESK])
def test_the_next_table_follows_when_the_first_is_over(
    open_context: Any, unhurried: None, live: str, viewport: Any
) -> None:
    cup, (first, second) = in_own_thread(begun)
    page = watch(open_context, live, cup, viewport=viewport)
    table = page.locator("[data-part=table]")
    expect(table).to_have_attribute("data-status", "live")
    expect(seat_of(page, first)).to_be_visible()
    assert_accessible(page, "en")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.clock.install()
    in_own_thread(lambda: first.sit().do("resign_match"))
    expect(page.get_by_text("The next table follows in 15 seconds.")).to_be_visible()
    expect(page.get_by_role("link", name="Stay at this table")).to_be_visible()
    page.clock.fast_forward(15_000)
    expect(seat_of(page, second)).to_be_visible()
    expect(table).to_have_attribute("data-status", "live")


def test_without_scripts_a_drawn_board_is_shown(
    open_context: Any, unhurried: None, live: str
) -> None:
    cup, _ = in_own_thread(begun)
    page = watch(open_context, live, cup, viewport=PHONE, java_script_enabled=False)
    expect(page).to_have_url(f"{live}/tournaments/{cup.tournament.public_id}/tv/?still=1")
    expect(page.get_by_role("heading", name="Live now")).to_be_visible()
    expect(page.locator(".showcase-board svg").first).to_be_visible()
