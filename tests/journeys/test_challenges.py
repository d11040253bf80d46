"""A member challenges another to a friendly match; both pages follow without a reload."""

import pytest
from playwright.sync_api import Page, expect

from games.models import Match
from tests.journeys.duel import TABLE
from tests.journeys.player import Player, start_training
from tests.journeys.test_access import assert_accessible
from tests.journeys.visitors import DESK, PHONE, come_as_member
from tests.wallet.factories import player


@pytest.mark.slow
def test_a_challenge_reaches_any_page_and_opens_the_table_for_both(unhurried, open_context, live):
    anna, boris = player("anna5"), player("boris")
    pages: list[Page] = []
    for user, size in ((anna, DESK), (boris, PHONE)):
        context = open_context(viewport=size)
        come_as_member(context, live, user)
        pages.append(context.new_page())
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
    pages: list[Page] = []
    for user, view in ((anna, DESK), (boris, size)):
        context = open_context(viewport=view)
        come_as_member(context, live, user)
        pages.append(context.new_page())
    challenger, table = pages
    start_training(table, "short", length=3)
    Player(table).play_until(lambda look: look.turn == "own" and bool(look.movable))
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
    table.get_by_test_id("more").click()
    waiting = table.get_by_test_id("waiting-news")
    expect(waiting).to_contain_text(text)
    assert_accessible(table, "en")
    table.get_by_test_id("resign-match").click()
    table.get_by_test_id("confirm-yes").click()
    expect(table.get_by_test_id("match-result")).to_be_visible()
    expect(table.locator("#live .live-friendly")).to_be_visible()
    expect(count).to_be_hidden()
