"""A member challenges another to a friendly match; both pages follow without a reload."""

import pytest
from playwright.sync_api import Page, expect

from games.models import Match
from tests.journeys.duel import TABLE
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
