"""The end of a match for credits: the result is shared; a void match says why."""

from typing import Any

from playwright.sync_api import BrowserContext, Page, expect

from games.engine.sides import Side
from tests.games.factories import StakeSitting
from tests.journeys.duel import in_own_thread, seasoned
from tests.journeys.usable import LOOKS, assert_in_sight, assert_pressable
from tests.journeys.visitors import come_as_member, set_language

COPIED = {"ru": "Скопировано.", "tr": "Kopyalandı.", "en": "Copied."}
GIVEN_UP = {
    "ru": "Соперник сдался до первого броска",
    "tr": "Rakip ilk zardan önce maçı bıraktı",
    "en": "Your opponent gave up before the first roll",
}
# The share dialog of a phone, which Chromium on Linux does not have.
SHARE = "navigator.share = async (data) => { window.shared = data; }"


def ended_matches() -> tuple[StakeSitting, StakeSitting]:
    """Return a match that White won, and a void one that Black gave up before it began."""
    anna, boris = seasoned("anna"), seasoned("boris")
    won = StakeSitting(anna, boris).sit().start_game().both_move()
    won.do("resign_match", side=Side.BLACK)
    void = StakeSitting(anna, boris).sit()
    void.do("leave", side=Side.BLACK)
    return won, void


def test_result_is_shared_and_a_void_match_says_why(
    unhurried: None, open_context: Any, live: str
) -> None:
    won, void = in_own_thread(ended_matches)
    context = open_context(has_touch=True, permissions=["clipboard-read", "clipboard-write"])
    context.add_init_script(SHARE)
    come_as_member(context, live, won.users[Side.WHITE])
    page = context.new_page()
    for size, language in LOOKS:
        set_language(context, live, language)
        page.set_viewport_size(size)
        share_result(context, page, f"{live}/match/{won.public_id}/", COPIED[language])
        page.goto(f"/match/{void.public_id}/")
        cause = page.locator("[data-part=result] [data-part=cause]")
        expect(cause).to_contain_text(GIVEN_UP[language])
        assert_in_sight(cause)


def share_result(context: BrowserContext, page: Page, match: str, copied: str) -> None:
    """Share by each way that the page of the result offers."""
    page.goto(match)
    share, fold = page.get_by_test_id("share-result"), page.get_by_test_id("result-fold")
    expect(fold).to_be_visible()
    if fold.get_attribute("aria-expanded") == "false":
        fold.click()
    expect(page.locator("[data-settling]")).to_have_count(0)  # taps are ignored until then
    assert_pressable(share)
    share.click()
    address = f"{match}result/"
    page.wait_for_url(address)  # with its styles and scripts
    assert_in_sight(page.locator(".result-position svg"))
    copy = page.locator("[data-copy=share-address]")
    assert_pressable(copy)
    copy.click()
    expect(page.locator("[data-part=copied]")).to_have_text(copied)
    assert page.evaluate("navigator.clipboard.readText()") == address
    button = page.locator("[data-share]")
    assert_pressable(button)
    button.click()
    assert page.evaluate("window.shared.url") == address
    picture = page.locator("a[download]")
    assert_pressable(picture)
    with page.expect_download() as saved:
        picture.click()
    assert saved.value.path().read_bytes().startswith(b"\x89PNG")
