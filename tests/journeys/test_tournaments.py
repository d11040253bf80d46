"""Entering a tournament and withdrawing; the draw checked by a button; pages on a phone."""

from functools import partial

import pytest
from playwright.sync_api import expect

from tests.journeys.duel import in_own_thread
from tests.journeys.test_access import assert_accessible
from tests.journeys.visitors import DESK, PHONE, come_as_member, set_language
from tests.tournaments.factories import TournamentRun, announced, members


def play_out(size, **fields):
    return TournamentRun(size, **fields).start().play().tournament


@pytest.mark.parametrize("javascript", [True, False])
def test_entering_and_withdrawing_ask_first(open_context, live, javascript):
    member = in_own_thread(members, 1)[0]
    tournament = in_own_thread(partial(announced, fee_credits=20))
    context = open_context(viewport=PHONE, java_script_enabled=javascript)
    come_as_member(context, live, member)
    set_language(context, live, "en")
    page = context.new_page()
    page.goto("/tournaments/")
    page.get_by_role("link", name=tournament.name).click()
    page.get_by_role("button", name="Take part").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Enter “Evening cup”?")
    if javascript:
        assert_accessible(page, "en", [(PHONE, "dark")], is_only_language=True)
    page.get_by_role("button", name="Take part").press("Enter")
    expect(page.locator(".messages .success")).to_be_visible()
    expect(page.locator(".tournament-entrants")).to_contain_text(member.username)
    page.get_by_role("button", name="Withdraw").press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Withdraw from “Evening cup”?")
    page.get_by_role("button", name="Withdraw").press("Enter")
    expect(page.locator(".messages .success")).to_be_visible()
    expect(page.locator(".tournament-entrants")).to_have_count(0)


@pytest.fixture(params=["KNOCKOUT", "ROUND_ROBIN", "SWISS"])
def drawn(request, transactional_db):
    """Return a finished tournament. Request it before `live`, so that no worker runs yet."""
    return in_own_thread(partial(play_out, 6, absent=1, format=request.param))


def test_the_draw_is_checked_by_a_button(drawn, open_context, live):
    context = open_context(viewport=DESK)
    set_language(context, live, "en")
    page = context.new_page()
    address = f"/tournaments/{drawn.public_id}/"
    page.goto(address)
    page.evaluate(
        "document.querySelectorAll('main details').forEach((each) => { each.open = true; })"
    )
    assert_accessible(page, "en", [(PHONE, "dark"), (DESK, "light")], is_only_language=True)
    verdict = page.get_by_test_id("draw-verdict")
    page.get_by_test_id("draw-check").click()
    expect(verdict).to_contain_text("drawn exactly as promised")
    file = context.request.get(f"{address}draw.json").json()
    one, two = file["rounds"][0][:2]
    one["first"], two["first"] = two["first"], one["first"]
    page.route("**/draw.json", lambda route: route.fulfill(json=file))
    page.get_by_test_id("draw-check").click()
    expect(verdict).to_have_text("Round 1 does not follow from the secret.")


@pytest.fixture
def large(transactional_db):
    return in_own_thread(play_out, 16)


def test_a_bracket_can_be_panned_on_a_phone(large, open_context, live):
    context = open_context(viewport=PHONE)
    set_language(context, live, "ru")
    page = context.new_page()
    page.goto(f"/tournaments/{large.public_id}/")
    bracket = page.locator(".bracket")
    assert bracket.evaluate("node => node.scrollWidth > 2 * node.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    bracket.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.querySelector('.bracket').scrollLeft > 0")
    final = page.get_by_role("heading", name="Финал", exact=True)
    final.scroll_into_view_if_needed()
    expect(final).to_be_in_viewport()
