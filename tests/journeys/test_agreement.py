"""Join a game from the list: its terms open over the list, or without script on their own page.

One more press joins.
"""

import pytest
from playwright.sync_api import expect

from accounts.models import Preferences
from games.models import Match
from tests.journeys.duel import TABLE, in_own_thread, seasoned
from tests.journeys.test_access import assert_accessible
from tests.journeys.test_header import SHOWS_FAILURES
from tests.journeys.usable import each_look
from tests.journeys.visitors import DESK, PHONE, SIDEWAYS, come_as_member, set_language
from tests.lobby.factories import SeekFactory
from tests.lobby.test_agreement import play_on_these_terms, skip_known_terms
from tests.wallet.factories import player

PLAY = "a[hx-target='#agreement']"


@pytest.fixture
def joiner(unhurried, live):
    """Return a member with a history; another member has announced a game to 3 points."""

    def prepare():
        SeekFactory(owner=seasoned("owner"), length=3, variant="long")
        return seasoned("joiner")

    return in_own_thread(prepare)


@each_look
def test_play_opens_the_terms_and_one_more_press_joins(joiner, open_context, live, size, language):
    context = open_context(viewport=size)
    come_as_member(context, live, joiner)
    set_language(context, live, language)
    page = context.new_page()
    page.goto("/play/")
    play = page.locator(PLAY)
    terms, join = page.locator("#agreement-place"), page.locator("#agreement [name=confirmed]")
    staked = Match.objects.filter(stake_credits=100)
    page.mouse.move(1, 1)
    page.wait_for_function(SHOWS_FAILURES)
    play.click()
    expect(terms).to_be_visible()
    expect(terms.locator("h2")).to_be_focused()
    for outcome in ("+90", "−100"):  # in sight at once, beside the button
        expect(terms.locator(".outlook strong", has_text=outcome)).to_be_in_viewport()
    expect(join).to_be_in_viewport()
    if size is not SIDEWAYS:
        assert_accessible(page, language, [(size, "dark")], is_only_language=True)
    play.evaluate("link => { link.dataset.old = ''; }")
    page.evaluate("document.body.dispatchEvent(new Event('nudge-seeks'))")
    expect(page.locator(f"{PLAY}[data-old]")).to_have_count(0)  # the list was replaced
    page.keyboard.press("Escape")
    expect(terms).to_be_hidden()
    expect(play).to_be_focused()
    assert not staked.exists()
    page.keyboard.press("Enter")
    expect(terms).to_be_visible()
    join.click()
    expect(page).to_have_url(TABLE)
    assert staked.exists()


def test_a_press_counts_though_the_list_was_fetched_meanwhile(joiner, open_context, live):
    context = open_context(viewport=DESK)
    come_as_member(context, live, joiner)
    page = context.new_page()
    page.goto("/play/")
    play = page.locator(PLAY)
    page.mouse.move(1, 1)
    page.wait_for_function(SHOWS_FAILURES)
    lists = page.locator("#lists")
    lists.evaluate("part => { part.dataset.old = ''; }")
    play.hover()
    page.mouse.down()
    with page.expect_response(lambda answer: "/play/list/" in answer.url) as answered:
        page.evaluate("document.body.dispatchEvent(new Event('nudge-seeks'))")
    answered.value.finished()
    page.mouse.up()
    expect(page.locator("#agreement-place")).to_be_visible()
    expect(page.locator("#lists[data-old]")).to_have_count(0)  # replaced after the press


def test_terms_have_their_own_page_without_script(joiner, open_context, live):
    context = open_context(viewport=PHONE, java_script_enabled=False)
    come_as_member(context, live, joiner)
    page = context.new_page()
    page.goto("/play/")
    page.locator(PLAY).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("A game with owner")
    expect(page.locator("#agreement")).to_contain_text("The winner gets 190 credits")
    page.get_by_role("button", name="Play for 100 credits").click()
    expect(page).to_have_url(TABLE)


def test_step_that_shows_known_terms_can_be_switched_off(joiner, open_context, live):
    context = open_context(viewport=PHONE)
    come_as_member(context, live, joiner)
    page = context.new_page()
    page.goto("/play/")
    page.locator(PLAY).click()
    page.locator("#agreement").get_by_role("link", name="Switch this step off").click()
    page.get_by_label("Join a game at once if I know its terms").check()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Your profile is saved.")).to_be_visible()
    assert Preferences.objects.get(user=joiner).skips_known_terms
    page.goto("/play/")  # these terms are new to the member: they are shown all the same
    page.locator(PLAY).click()
    expect(page.locator("#agreement [name=confirmed]")).to_be_visible()
    expect(page.locator("#agreement")).not_to_contain_text("Switch this step off")


@each_look
def test_game_with_known_terms_is_joined_by_one_press_once_the_step_is_off(
    unhurried, open_context, live, size, language
):
    def prepare():
        owner, joiner = player("owner5"), player("joiner")
        play_on_these_terms(owner, joiner)
        SeekFactory(owner=owner)
        SeekFactory(owner=seasoned("third5"), stake=110)
        return skip_known_terms(joiner)

    context = open_context(viewport=size)
    come_as_member(context, live, in_own_thread(prepare))
    set_language(context, live, language)
    page = context.new_page()
    page.goto("/play/")
    expect(page.locator(PLAY)).to_have_count(1)  # the game for 110 still shows its terms
    if size is not SIDEWAYS:
        assert_accessible(page, language, [(size, "dark")], is_only_language=True)
    page.locator("form[action$='/join/'] button").click()
    expect(page).to_have_url(TABLE)
