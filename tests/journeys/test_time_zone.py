"""Times in a real browser are the device's, or those of the zone that the member chose."""

import re
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import expect

from accounts.models import Preferences
from tests.accounts.factories import member
from tests.config.credits import set_credits
from tests.journeys.usable import assert_in_sight, assert_pressable
from tests.journeys.visitors import DESK, PHONE, SIDEWAYS, come_as_member
from wallet.models import Transfer

TOKYO, LIMA = "Asia/Tokyo", "America/Lima"


@pytest.fixture
def anna(live, on_site):
    user = on_site(member, "Anna77")
    on_site(set_credits, user, 500)
    return user


def clock_in(zone):
    """Return a pattern for the time of the newest transfer in this zone."""
    at = Transfer.objects.latest("pk").created_at.astimezone(ZoneInfo(zone))
    return re.compile(f"{at:%H:%M}$")


def kept(on_site, user):
    """Return the stored time zone, and whether the member chose it."""
    row = on_site(Preferences.objects.get, user=user)
    return row.time_zone, row.keeps_time_zone


@pytest.mark.parametrize("viewport", [PHONE, DESK])
def test_first_page_is_corrected_by_script_and_the_next_is_rendered_right(
    open_context, live, anna, on_site, viewport
):
    context = open_context(viewport=viewport, timezone_id=TOKYO)
    come_as_member(context, live, anna)
    page = context.new_page()
    time = page.locator(".movements time:visible").first
    page.goto("/credits/")
    expect(page.locator("html")).to_have_attribute("data-zone", "")
    expect(time).to_have_text(clock_in(TOKYO))
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-zone", TOKYO)
    expect(time).to_have_text(clock_in(TOKYO))
    expect(page.locator("#movements")).to_contain_text("Asia/Tokyo (UTC+9)")
    assert_in_sight(time)
    page.set_viewport_size(SIDEWAYS)
    expect(time).to_have_text(clock_in(TOKYO))
    assert_in_sight(time)
    assert kept(on_site, anna) == (TOKYO, False)


@pytest.mark.parametrize("viewport", [PHONE, DESK])
def test_chosen_zone_holds_on_another_device_too(open_context, live, anna, on_site, viewport):
    here = open_context(viewport=viewport, timezone_id=TOKYO)
    come_as_member(here, live, anna)
    page = here.new_page()
    page.goto("/profile/")
    zone = page.get_by_label("Time zone")
    expect(zone).to_have_value("")
    for size in (SIDEWAYS, viewport):
        page.set_viewport_size(size)
        assert_pressable(zone)
    zone.select_option(LIMA)
    expect(page.locator("[data-part=save-bar]")).to_contain_text("Unsaved changes")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messages")).to_contain_text("Your profile is saved.")
    expect(zone).to_have_value(LIMA)
    elsewhere = open_context(viewport=viewport, timezone_id=TOKYO)
    come_as_member(elsewhere, live, anna)
    other = elsewhere.new_page()
    for _visit in range(2):
        other.goto("/credits/")
        expect(other.locator(".movements time:visible").first).to_have_text(clock_in(LIMA))
    assert kept(on_site, anna) == (LIMA, True)


def test_without_script_the_guessed_zone_is_named(open_context, live, anna):
    context = open_context(viewport=PHONE, java_script_enabled=False, timezone_id=TOKYO)
    come_as_member(context, live, anna)
    page = context.new_page()
    page.goto("/credits/")
    expect(page.locator(".movements time:visible").first).to_have_text(re.compile(r"\(UTC\)$"))
