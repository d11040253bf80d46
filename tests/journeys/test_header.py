"""The live header in a real browser: updates arrive and disturb nothing."""

import gzip
import re

import pytest
from playwright.sync_api import expect

from accounts import broadcast
from tests.accounts.factories import PASSWORD, member
from tests.config.credits import set_credits
from tests.journeys.test_access import LOOKS, assert_accessible, languages_of
from tests.journeys.usable import assert_pressable
from tests.journeys.visitors import DESK, NARROW, PHONE, SIDEWAYS, set_language

LOGIN = "Anna123456"


@pytest.fixture
def anna(live, on_site):
    return on_site(member, LOGIN)


def sign_in(context, path="/en/"):
    page = context.new_page()
    page.goto("/account/login/")
    page.locator("[name=login]").fill(LOGIN)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("[name=password]").press("Enter")
    expect(page.locator("#face")).to_be_attached()
    open_live(page, path)
    return page


def open_live(page, path):
    """Open the page and wait for its socket's greeting: from then on it misses no update."""
    page.goto(path)
    expect(page.locator("body")).to_have_attribute("data-site-line", "live")


def summary(page):
    return page.locator("#person summary")


def test_new_balance_appears_without_reload(open_context, anna, on_site):
    page = sign_in(open_context(viewport=DESK))
    expect(page.locator("#balance")).to_have_text("100")
    on_site(set_credits, anna, 1_234_567)
    expect(page.locator("#balance")).to_have_text("1,234,567")


def test_new_balance_leaves_the_statement_its_own_funds(open_context, anna, on_site):
    page = sign_in(open_context(viewport=DESK), "/credits/")
    for credits in (4321, 8765):
        on_site(set_credits, anna, credits)
        expect(page.locator("#balance")).to_have_text(f"{credits:,}")
        expect(page.locator(".purse-available")).to_contain_text(f"{credits:,}")
    expect(page.locator("#purse")).to_have_count(1)
    expect(page.locator("#funds")).to_have_count(1)


def test_update_keeps_menu_focus_and_layout(open_context, anna, on_site):
    page = sign_in(open_context(viewport=DESK))
    summary(page).click()
    page.wait_for_function(SHOWS_FAILURES)  # the same script keeps the focus
    link = page.locator(".menu-sheet").get_by_role("link", name="Profile")
    link.focus()
    places = page.locator(".places").bounding_box()
    corner = summary(page).bounding_box()
    on_site(set_credits, anna, 987_654, 500)
    expect(page.locator("#funds")).to_contain_text("987,654")
    expect(page.locator("#funds")).to_contain_text("500")
    expect(link).to_be_visible()
    expect(link).to_be_focused()
    assert page.locator(".places").bounding_box() == places
    assert summary(page).bounding_box() == corner


def test_reconnect_fetches_missed_updates(open_context, anna, on_site):
    context = open_context(viewport=DESK)
    page = sign_in(context)
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    on_site(set_credits, anna, 77)
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator("#balance")).to_have_text("77")


def test_signing_out_in_one_tab_empties_the_others(open_context, anna):
    context = open_context(viewport=DESK)
    page, personal = sign_in(context), context.new_page()
    open_live(personal, "/credits/")
    summary(page).click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    expect(personal).to_have_url(re.compile(r"/account/login/\?next=/credits/"))
    expect(personal.locator("#face")).to_have_count(0)


def test_public_page_stays_open_when_its_sockets_are_closed(open_context, anna, on_site):
    page = sign_in(open_context(viewport=DESK), "/en/rules/short/")
    page.evaluate("window.isOld = true")
    on_site(broadcast.close_user, anna.pk)
    # The session itself still exists, so the page loads again as the member's.
    page.wait_for_function("() => !window.isOld")
    expect(page.locator("#face")).to_be_attached()
    expect(page).to_have_url(re.compile("/en/rules/short/$"))


def test_going_back_after_sign_out_shows_nothing_private(open_context, anna):
    page = sign_in(open_context(viewport=DESK), "/credits/")
    summary(page).click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile("/account/login/"))


def test_pages_of_the_member_menu_are_two_taps_away(open_context, anna):
    page = sign_in(open_context(viewport=PHONE, has_touch=True))
    sheet = page.locator("#person .menu-sheet")
    for size in (PHONE, SIDEWAYS, DESK):
        page.set_viewport_size(size)
        summary(page).tap()
        expect(sheet).to_be_visible()
        for name in ("Profile", "My matches", "Rating", "Opponents", "Credits", "Active sessions"):
            assert_pressable(sheet.get_by_role("link", name=name))
        for name in ("Sign out", "Dark"):
            assert_pressable(sheet.get_by_role("button", name=name))
        box = sheet.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"]
        summary(page).tap()
        expect(sheet).to_be_hidden()
    page.set_viewport_size(PHONE)
    for name, title in (("Rating", LOGIN), ("Opponents", "Opponents")):
        summary(page).tap()
        expect(sheet).to_be_visible()
        if name == "Opponents":
            assert_pressable(sheet.get_by_role("button", name="Türkçe"))
        sheet.get_by_role("link", name=name).tap()
        expect(page.locator("h1")).to_contain_text(title)


# The page has loaded the script that shows failed presses, as it does at the first move.
SHOWS_FAILURES = """() => performance.getEntriesByType("resource")
  .some((each) => each.name.includes("/lib/first-use"))"""

# Let the header fetch its parts again; mark the body when a request has failed.
FETCH = """() => {
  const { body } = document;
  body.addEventListener("htmx:sendError", () => { body.dataset.hasFailed = ""; });
  body.dispatchEvent(new Event("nudge-any"));
}"""


def test_header_shows_no_error_while_disconnected(open_context, anna, watch):
    for text in ("WebSocket", "ERR_INTERNET_DISCONNECTED", "htmx:sendError"):
        watch.expect_error(text)
    context = open_context(viewport=DESK)
    page = sign_in(context)
    page.mouse.move(1, 1)
    page.wait_for_function(SHOWS_FAILURES)
    before = page.locator("body").inner_text()
    context.set_offline(True)
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    page.evaluate(FETCH)
    expect(page.locator("body")).to_have_attribute("data-has-failed", "")
    assert page.locator("body").inner_text() == before


@pytest.mark.parametrize("language", languages_of(0))
def test_header_and_menu_are_accessible(open_context, anna, on_site, language):
    on_site(set_credits, anna, 1_234_567)
    context = open_context(viewport=NARROW)
    page = sign_in(context)
    set_language(context, page.url, language)
    open_live(page, f"/{language}/")
    summary(page).click()
    looks = LOOKS if language == "ru" else LOOKS[:2]
    assert_accessible(page, language, looks, with_header=True)


@pytest.mark.parametrize("path", ["/en/", "/training/"])
def test_first_visit_loads_little_script(open_context, path):
    """Allow at most 50 KiB of scripts, compressed by gzip, htmx included."""
    page = open_context(viewport=DESK).new_page()
    scripts = []
    page.on(
        "response",
        lambda answer: (
            scripts.append(answer) if "/js/" in answer.url or "htmx" in answer.url else None
        ),
    )
    page.goto(path)
    page.wait_for_load_state("networkidle")
    assert any("htmx" in answer.url for answer in scripts)
    assert sum(len(gzip.compress(answer.body())) for answer in scripts) <= 50 * 1024


@pytest.mark.parametrize("language", ["ru", "en", "tr"])
def test_name_of_the_site_does_not_run_into_the_navigation(open_context, live, language):
    context = open_context(viewport=DESK)
    set_language(context, live, language)
    page = context.new_page()
    page.goto("/play/")
    name, first = page.locator(".brand b").bounding_box(), page.locator(".places a:visible").first
    assert first.bounding_box()["x"] - (name["x"] + name["width"]) >= 8
