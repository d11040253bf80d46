"""Two members become friends, on two screens, without a reload; a game for friends."""

from urllib.parse import urlsplit

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.people import friends
from tests.accounts.factories import member
from tests.journeys.duel import TABLE
from tests.journeys.test_access import assert_accessible
from tests.journeys.visitors import DESK, PHONE, page_of_member
from tests.wallet.factories import player


@pytest.mark.slow
def test_a_friend_request_and_its_answer_arrive_without_reload(open_context, live):
    anna, boris = member("anna5"), member("boris5")
    pages = [
        page_of_member(open_context, live, user, size)
        for user, size in ((anna, DESK), (boris, PHONE))
    ]
    desk, phone = pages
    phone.goto("/rules/short/")
    expect(phone.locator("body")).to_have_attribute("data-site-line", "live")
    desk.goto("/friends/")
    expect(desk.get_by_text("Nobody yet.")).to_be_visible()
    assert_accessible(desk, "en")
    desk.get_by_label("Add a player by login").fill("boris5")
    desk.get_by_role("button", name="Add to friends").click()
    expect(desk.get_by_text("Friend request sent to boris5.")).to_be_visible()
    expect(desk.locator("body")).to_have_attribute("data-site-line", "live")

    alert = phone.locator("#friend-news")
    expect(alert).to_contain_text("anna5 wants to be your friend.")
    expect(phone.locator("#menu-mark")).to_contain_text("1")
    assert_accessible(phone, "en")
    alert.get_by_role("button", name="Accept").click()
    expect(alert).to_contain_text("anna5 is your friend now.")
    expect(phone.locator("#menu-mark")).to_have_text("")
    expect(desk.locator("#friend-news")).to_contain_text("boris5 is your friend now.")

    friend = desk.locator("#friends .friend-list li", has_text="boris5")
    expect(friend).to_contain_text("Challenge")
    friend.locator("summary").click()
    assert_accessible(desk, "en")
    friend.get_by_role("button", name="Remove from friends").click()
    expect(desk.get_by_text("Nobody yet.")).to_be_visible()


@pytest.mark.slow
def test_a_friends_game_appears_to_friends_only(unhurried, open_context, live, on_site, watch):
    anna, boris, cem = player("anna5"), player("boris5"), player("cem555")
    now = timezone.now()
    on_site(friends.ask, anna.pk, boris.pk, now)
    on_site(friends.accept, boris.pk, anna.pk, now)
    pages = [
        page_of_member(open_context, live, user, size)
        for user, size in ((anna, DESK), (boris, PHONE), (cem, PHONE))
    ]
    desk, phone, strangers = pages
    for page in (phone, strangers):
        page.goto("/play/")
        expect(page.get_by_role("heading", name="Open games")).to_be_visible()
    desk.goto("/play/new/")
    desk.get_by_label("Stake in credits").fill("20")
    desk.get_by_label("My friends").check()
    assert_accessible(desk, "en")
    desk.get_by_role("button", name="Continue").click()
    expect(desk.get_by_text("Only friends of the game’s creator")).to_be_visible()
    desk.locator("button[name=confirmed]").click()
    expect(desk.get_by_text("Only your friends see this game")).to_be_visible()

    game = phone.locator(".seek-row", has_text="anna5")
    expect(game).to_contain_text("for friends")
    assert_accessible(phone, "en")
    strangers.reload()
    expect(strangers.get_by_text("There are no open games at the moment.")).to_be_visible()
    watch.expect_error("404")
    answer = strangers.goto(urlsplit(desk.url).path)
    assert answer is not None
    assert answer.status == 404
    game.get_by_role("link", name="Play").click()
    phone.locator("button[name=confirmed]").click()
    for page in (desk, phone):
        expect(page).to_have_url(TABLE)
