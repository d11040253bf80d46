"""A member challenges another to a friendly match; both pages follow without a reload."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounts.people import friends
from games.engine.rules import Rules
from games.models import Match
from lobby.services import challenging, inviting
from tests.games.factories import DELAY_MS
from tests.journeys.duel import TABLE
from tests.journeys.player import Player, start_training
from tests.journeys.test_access import assert_accessible
from tests.journeys.visitors import DESK, PHONE, come_as_member, page_of_member
from tests.wallet.factories import player

OFFER = inviting.Offer(Rules.of("short", length=3, delay_ms=DELAY_MS))


@pytest.mark.slow
def test_a_challenge_reaches_any_page_and_opens_the_table_for_both(unhurried, open_context, live):
    anna, boris = player("anna5"), player("boris")
    pages = [
        page_of_member(open_context, live, user, size)
        for user, size in ((anna, DESK), (boris, PHONE))
    ]
    desk, phone = pages
    phone.goto("/rules/short/")
    desk.goto(f"/player/{boris.public_id}/")
    desk.get_by_role("link", name="Friendly match").click()
    expect(desk.locator("[name=opponent]")).to_have_value("boris")
    assert_accessible(desk, "en")
    desk.get_by_role("button", name="Invite").click()
    expect(desk.get_by_role("heading", name="Waiting for an answer")).to_be_visible()

    alert = phone.locator(".live-friendly")
    expect(alert).to_contain_text("anna5 challenges you to a friendly match")
    alert.get_by_role("link", name="View and reply").click()
    assert_accessible(phone, "en")
    expect(phone.get_by_role("button", name="Decline")).to_be_visible()
    desk.goto("/rules/long/")  # the challenger opens another page meanwhile
    expect(desk.locator("#live")).to_contain_text("Your challenge to boris is waiting")
    phone.get_by_role("button", name="Play").click()
    for page in pages:
        expect(page).to_have_url(TABLE)
    assert Match.objects.get().policy.is_staked is False


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_challenge_during_a_match_moves_nothing_and_waits_in_the_dialog(
    unhurried, open_context, live, size
):
    anna, boris = player("anna5"), player("boris")
    pages = [
        page_of_member(open_context, live, user, view)
        for user, view in ((anna, DESK), (boris, size))
    ]
    challenger, table = pages
    start_training(table, "short", length=3)
    Player(table).play_until(lambda look: look.turn == "own" and bool(look.movable))
    expect(table.locator("[data-news=kept]")).to_be_visible()
    count = table.get_by_test_id("waiting-count")
    expect(count).to_be_hidden()
    before = table.get_by_test_id("board").bounding_box()
    challenger.goto(f"/player/{boris.public_id}/")
    challenger.get_by_role("link", name="Friendly match").click()
    challenger.get_by_role("button", name="Invite").click()

    expect(count).to_have_text("1")
    text = "anna5 challenges you to a friendly match"
    expect(table.get_by_test_id("status")).to_contain_text(text)
    expect(table.locator("#live .live-friendly")).to_be_hidden()
    assert table.get_by_test_id("board").bounding_box() == before
    table.reload()
    expect(table.locator("[data-status=live]")).to_be_visible()
    assert table.get_by_test_id("board").bounding_box() == before
    expect(table.locator("[data-news=kept]")).to_be_visible()
    assert table.get_by_test_id("board").bounding_box() == before
    table.get_by_test_id("more").click()
    waiting = table.get_by_test_id("waiting-news")
    expect(waiting).to_contain_text(text)
    assert_accessible(table, "en")
    table.get_by_test_id("resign-match").click()
    table.get_by_test_id("confirm-yes").click()
    expect(table.get_by_test_id("match-result")).to_be_visible()
    expect(table.locator("#live .live-friendly")).to_be_visible()
    expect(count).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_reply_in_the_dialog_is_confirmed_there_and_keeps_focus_and_board(
    unhurried, open_context, live, on_site, size
):
    anna, boris, cem = player("anna5"), player("boris"), player("cem555")
    table = page_of_member(open_context, live, boris, size)
    start_training(table, "short", length=3)
    Player(table).play_until(lambda look: look.turn == "own" and bool(look.movable))
    expect(table.locator("[data-news=kept]")).to_be_visible()
    before = table.get_by_test_id("board").bounding_box()
    on_site(challenging.challenge, anna, boris, OFFER, timezone.now())
    on_site(friends.ask, cem.pk, boris.pk, timezone.now())
    count = table.get_by_test_id("waiting-count")
    expect(count).to_have_text("2")

    table.get_by_test_id("more").click()
    waiting, answer = table.get_by_test_id("waiting-news"), table.get_by_test_id("waiting-answer")
    challenge = waiting.locator(".live-friendly")
    challenge.get_by_role("button", name="Decline").click()
    expect(answer).to_contain_text("Challenge declined.")
    expect(challenge).to_have_count(0)
    expect(waiting.locator(".live-asks, .live-friend").first).to_be_focused()
    waiting.get_by_role("button", name="Decline").click()
    expect(answer).to_contain_text("You declined the friend request from cem555.")
    expect(table.get_by_test_id("close-more")).to_be_focused()
    expect(count).to_be_hidden()
    assert table.get_by_test_id("board").bounding_box() == before
    assert_accessible(table, "en")
    table.get_by_test_id("close-more").click()
    table.get_by_test_id("more").click()
    expect(waiting).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_a_challenge_is_shown_above_a_table_without_script(
    unhurried, open_context, live, on_site, size
):
    anna, boris = player("anna5"), player("boris")
    context = open_context(viewport=size, java_script_enabled=False)
    come_as_member(context, live, boris)
    table = context.new_page()
    start_training(table, "short", length=3)
    on_site(challenging.challenge, anna, boris, OFFER, timezone.now())
    table.reload()
    expect(table.locator("#live .live-friendly")).to_be_visible()
    expect(table.get_by_test_id("waiting-count")).to_be_hidden()
