"""The statement in a browser: the filter applies while the list is fetched again by itself."""

from playwright.sync_api import expect

from tests.journeys.duel import in_own_thread
from tests.journeys.visitors import DESK, come_as_member
from tests.wallet.factories import player


def test_a_filter_applies_though_a_nudge_replaces_the_list_before_its_answer(open_context, live):
    context = open_context(viewport=DESK)
    come_as_member(context, live, in_own_thread(player, "rich5", 100))
    page = context.new_page()
    page.goto("/credits/")
    page.wait_for_load_state()
    held = []
    page.route("**/credits/?*", lambda route: held.append(route))
    rows = page.locator("#movements")
    rows.evaluate("rows => { rows.dataset.is = 'old'; }")
    page.locator(".statement-filter summary").click()
    with page.expect_request("**/credits/?*"):
        page.locator("[name=direction]").select_option("out")
    page.evaluate("document.body.dispatchEvent(new Event('nudge-any'))")
    expect(rows).not_to_have_attribute("data-is", "old")
    held[0].continue_()
    expect(rows).to_contain_text("No transactions match.")
