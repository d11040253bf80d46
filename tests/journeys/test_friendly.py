"""Two guests play a friendly match by a link, one of them on a phone."""

import re

import pytest
from playwright.sync_api import expect

from games.models import Match
from tests.accounts.mail.mailbox import last_to, link_in
from tests.accounts.signup.signing_up import EMAIL
from tests.games.factories import assert_log_folds
from tests.journeys.duel import TABLE, GuestDuel, say
from tests.journeys.test_access import assert_accessible
from tests.journeys.test_signup import fill_in, send
from tests.journeys.visitors import PHONE


@pytest.mark.slow
def test_two_guests_play_by_a_link_talk_and_play_again(unhurried, open_context, live):
    duel = GuestDuel(open_context, live)
    link = duel.make_link("Anna")
    assert_accessible(duel.desk, "en")
    match = duel.follow(link, "Boris")
    expect(duel.phone.locator("body")).to_contain_text("Anna (guest)")
    expect(duel.desk.locator("body")).to_contain_text("Boris (guest)")

    say(duel.desk, "good_luck")
    expect(duel.phone.locator("[data-part=unread]")).to_have_text("1")
    duel.phone.get_by_test_id("open-chat").click()
    expect(duel.phone.locator("[data-part=chat-list]")).to_contain_text("Good luck!")
    expect(duel.phone.locator("[data-part=chat-list] b")).to_have_text("Anna (guest)")
    expect(duel.phone.locator("[data-part=chat-form]")).to_be_hidden()
    expect(duel.phone.locator("[data-part=chat-guest]")).to_be_visible()
    say(duel.phone, "thanks")
    expect(duel.desk.locator("[data-part=chat-list]")).to_contain_text("Thank you")
    duel.phone.get_by_test_id("close-more").click()

    duel.answer(duel.offer_to_resign(), "accept")
    for page in (duel.phone, duel.desk):
        expect(page.get_by_test_id("match-result")).to_be_visible()
    duel.desk.get_by_test_id("dice-check").click()
    expect(duel.desk.get_by_test_id("dice-verdict")).to_have_attribute("data-ok", "true")
    for page, button in ((duel.desk, "rematch-offer"), (duel.phone, "rematch-accept")):
        page.get_by_test_id(button).click()
    for page in (duel.desk, duel.phone):
        expect(page).not_to_have_url(re.compile(match.public_id))
        expect(page).to_have_url(TABLE)
    again = Match.objects.get(rematch_of=match)
    assert {seat.guest_name for seat in again.seats.all()} == {"Anna", "Boris"}
    match.refresh_from_db()
    assert_log_folds(match)


@pytest.mark.slow
def test_a_guest_who_signs_up_in_mid_series_keeps_the_series(
    unhurried, open_context, live, on_site, settings
):
    settings.EMAIL_BACKEND = "accounts.mail.backend.StoringBackend"
    duel = GuestDuel(open_context, live)
    first = duel.follow(duel.make_link("Anna"), "Boris")
    duel.answer(duel.offer_to_resign(), "accept")
    duel.desk.get_by_test_id("rematch-offer").click()
    duel.phone.get_by_test_id("rematch-accept").click()
    for page in (duel.desk, duel.phone):
        expect(page).not_to_have_url(re.compile(first.public_id))
    table = duel.desk.url

    signup = duel.desk.context.new_page()
    signup.goto("/account/signup/")
    fill_in(signup, login="AnnaNew")
    send(signup)
    expect(signup.locator(".mailbox")).to_have_text(EMAIL)
    signup.goto(on_site(lambda: link_in(last_to(EMAIL))))
    signup.get_by_role("button", name="Activate the account").click()
    expect(signup.get_by_text("Your account is active.")).to_be_visible()
    signup.close()

    duel.desk.goto(table)
    duel.phone.reload()
    expect(duel.phone.locator(".strip-enemy")).to_contain_text("AnnaNew")
    duel.answer(duel.offer_to_resign(by=duel.players[0]), "accept")
    for page in (duel.desk, duel.phone):
        expect(page.get_by_test_id("match-result")).to_be_visible()
    again = Match.objects.get(rematch_of=first)
    assert again.series_white + again.series_black == 1
    for match in (first, again):
        match.refresh_from_db()
        names = {seat.user.username if seat.user else seat.guest_name for seat in match.seats.all()}
        assert names == {"AnnaNew", "Boris"}
        assert_log_folds(match)


def test_a_friend_reads_that_the_link_was_canceled(open_context, live):
    duel = GuestDuel(open_context, live)
    link = duel.make_link("Anna")
    friend = open_context(viewport=PHONE).new_page()
    friend.goto(link)
    expect(friend.get_by_role("heading", level=1)).to_have_text("Anna (guest) invites you to play")
    assert_accessible(friend, "en")
    duel.desk.get_by_role("button", name="Cancel the link").click()
    expect(duel.desk.locator(".messages, [role=status]").first).to_contain_text("canceled")
    friend.locator("[name=guest_name]").fill("Boris")
    friend.get_by_role("button", name="Play", exact=True).click()
    expect(friend.locator("h1")).to_have_text("This link is no longer open")
