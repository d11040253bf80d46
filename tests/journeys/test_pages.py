"""General pages in a real browser: no errors, no request to another host."""

import re

import brotli
import pytest
from playwright.sync_api import expect

from accounts.models import User
from lobby.services import announcing
from tests.games.factories import StakeSitting
from tests.journeys.player import HAS_REST, LOADED_LATER, start_training
from tests.journeys.visitors import PHONE, come_as_member, set_language
from tests.lobby.factories import announcement
from tests.wallet.factories import player


@pytest.mark.parametrize("language", ["ru", "en", "tr"])
def test_home_opens_in_the_language_of_its_address(page, language):
    page.goto(f"/{language}/")
    expect(page.locator("html")).to_have_attribute("lang", language)
    expect(page.locator("h1")).to_be_visible()


def test_language_switch_stays_on_the_same_page(page):
    page.goto("/en/rules/long/")
    page.locator("summary", has_text="Language").click()
    page.get_by_role("button", name="Türkçe").click()
    expect(page).to_have_url(re.compile(r"/tr/rules/long/$"))
    expect(page.locator("html")).to_have_attribute("lang", "tr")


def test_theme_is_kept_from_page_to_page(page):
    page.goto("/en/")
    page.locator("summary", has_text="Color theme").click()
    page.get_by_role("button", name="High contrast").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "contrast")
    page.goto("/en/rules/short/")
    expect(page.locator("html")).to_have_attribute("data-theme", "contrast")


def test_open_menu_closes_on_escape_and_returns_the_focus(page):
    page.goto("/en/")
    summary = page.locator("summary", has_text="Language")
    summary.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Türkçe")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Türkçe")).to_be_hidden()
    expect(summary).to_be_focused()


def test_first_tab_stop_skips_to_the_content(page):
    page.goto("/en/")
    page.keyboard.press("Tab")
    expect(page.locator(".skip-link")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()


@pytest.mark.parametrize("width", [320, 360, 390, 768, 1280])
def test_home_does_not_scroll_sideways(open_context, width):
    page = open_context(viewport={"width": width, "height": 800}).new_page()
    page.goto("/ru/")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_home_shows_buttons_to_play_on_a_phone_on_its_side(open_context):
    page = open_context(viewport={"width": 844, "height": 390}).new_page()
    page.goto("/ru/")
    buttons = page.locator("form[action$='/start/'] .button-primary")
    expect(buttons).not_to_have_count(0)
    for button in buttons.all():
        expect(button).to_be_in_viewport(ratio=1)


def test_phone_has_a_navigation_bar_at_the_bottom(open_context):
    page = open_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto("/en/")
    box = page.locator("nav.places").bounding_box()
    assert box["y"] + box["height"] == pytest.approx(844, abs=1)
    links = page.locator("nav.places a:visible")
    expect(links).not_to_have_count(0)
    for link in links.all():
        assert link.bounding_box()["height"] >= 44


def test_site_works_without_script(open_context):
    page = open_context(java_script_enabled=False).new_page()
    page.goto("/en/")
    page.locator("summary", has_text="Color theme").click()
    page.get_by_role("button", name="High contrast").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "contrast")
    page.get_by_role("button", name="Play short backgammon").click()
    expect(page).to_have_url(re.compile(r"/match/[^/]+/$"))
    expect(page.locator("noscript .board-note")).to_be_visible()
    page.goto("/en/")
    page.locator("summary", has_text="Language").click()
    page.get_by_role("button", name="Русский").click()
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    page.goto("/training/")
    expect(page.locator("html")).to_have_attribute("lang", "ru")


@pytest.fixture
def club(unhurried, on_site):
    """Let two members play and three others announce games; return the sitting of the two."""

    def meet():
        sitting = StakeSitting(player("anna55"), player("boris7"), length=5)
        sitting.sit().start_game().both_move()
        for login in ("cem123", "deniz5", "elena9"):
            announcing.announce(player(login), announcement(), sitting.now)
        return sitting

    return on_site(meet)


def weight(answer):
    """Return the size of a response in bytes; compress static files as `collectstatic` does."""
    sent = answer.request.sizes()
    body = sent["responseBodySize"]
    is_picture = answer.headers.get("content-type", "").startswith(("image/png", "image/webp"))
    if "/static/" in answer.url and not is_picture:
        body = len(brotli.compress(answer.body()))
    return body + sent["responseHeadersSize"]


# True if the lobby's list was fetched only by the page's polls, which come every 4 seconds. On a
# slow machine the first poll comes before the page is complete.
POLLS_ONLY = """() => performance.getEntriesByType("resource")
  .filter((each) => each.name.includes("/play/list/"))
  .every((each) => each.startTime > 3500)"""


def answers_of(page, path):
    """Open the page; return its responses, for a table only those up to the first turn."""
    answers = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(path)
    page.wait_for_load_state("networkidle")
    if path.startswith("/match/"):
        page.wait_for_function(HAS_REST)
    later = page.evaluate(LOADED_LATER)
    # every-page.js fetches this script at the first action of the reader or of htmx. On a slow
    # machine a focus that the table sets comes before the first turn is drawn.
    extra = ["/lib/first-use[.-]"]
    if page.evaluate(POLLS_ONLY):
        extra.append("/play/list/")
    is_extra = re.compile("|".join(extra)).search
    return [each for each in answers if each.url not in later and not is_extra(each.url)]


def kib(answers):
    return sum(map(weight, answers)) / 1024


@pytest.mark.parametrize("path", ["/en/", "/ru/", "/play/"])
@pytest.mark.parametrize("is_member", [False, True])
def test_first_visit_to_home_or_lobby_loads_few_bytes(
    open_context, live, club, on_site, path, is_member
):
    context = open_context(viewport=PHONE)
    set_language(context, live, "ru")
    if is_member:
        come_as_member(context, live, on_site(player, "fatma3"))
    page = context.new_page()
    answers = answers_of(page, path)
    expect(page.locator("#showcase svg.board")).to_be_attached()
    weights = {each.url: weight(each) for each in answers}
    assert 20 < kib(answers) <= 60, weights
    assert len(weights) <= 12, weights


@pytest.mark.parametrize("opponent", ["computer", "member"])
def test_first_visit_to_a_table_loads_few_bytes_up_to_the_first_turn(
    open_context, live, club, on_site, opponent
):
    context = open_context(viewport=PHONE)
    set_language(context, live, "ru")
    if opponent == "member":
        come_as_member(context, live, on_site(User.objects.get, username="anna55"))
        path = f"/match/{club.public_id}/"
    else:
        path = f"/match/{start_training(context.new_page(), 'short')}/"
    kept = context.storage_state()
    fresh = open_context(viewport=PHONE, storage_state=kept)
    answers = answers_of(fresh.new_page(), path)
    scripts = [each for each in answers if "javascript" in each.headers.get("content-type", "")]
    weights = {each.url: weight(each) for each in answers}
    assert 40 < kib(answers) <= 110, weights
    assert len(answers) <= 20, weights
    assert 30 < kib(scripts) <= 50, weights
