"""The forms for a new match: quick lengths, and only the fields that the choices need."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.journeys.duel import in_own_thread, seasoned
from tests.journeys.test_access import assert_accessible
from tests.journeys.usable import assert_pressable
from tests.journeys.visitors import DESK, PHONE, SIDEWAYS, come_as_member

SMALL = {"width": 360, "height": 640}


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, DESK], ids=["phone", "sideways", "desk"])
def test_length_is_set_by_a_button_or_typed(open_context, live, size):
    page = open_context(viewport=size).new_page()
    page.goto("/training/")
    field, group = page.locator("[name=length]"), page.get_by_role("group", name="Common lengths")
    expect(field).to_have_value("3")
    expect(group.get_by_role("button", name="3", exact=True)).to_have_attribute(
        "aria-pressed", "true"
    )
    group.get_by_role("button", name="11").click()
    expect(field).to_have_value("11")
    expect(group.locator("[aria-pressed=true]")).to_have_text(["11"])
    field.fill("9")
    expect(group.locator("[aria-pressed=true]")).to_have_count(0)
    assert_accessible(page, "en")


@pytest.mark.parametrize(
    "size", [SMALL, PHONE, SIDEWAYS, DESK], ids=["small", "phone", "sideways", "desk"]
)
@pytest.mark.parametrize("has_script", [True, False], ids=["script", "plain"])
def test_start_is_in_sight_on_every_part_of_the_training_form(open_context, live, size, has_script):
    page = open_context(viewport=size, java_script_enabled=has_script).new_page()
    page.goto("/training/")
    button = page.get_by_role("button", name="Start the match")
    for place in ("[name=variant] >> nth=0", "[name=level] >> nth=0", "summary >> nth=1"):
        page.locator(place).scroll_into_view_if_needed()
        expect(button).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [SMALL, SIDEWAYS, DESK], ids=["small", "sideways", "desk"])
def test_home_starts_a_match_by_one_press_on_the_first_screen(open_context, live, size):
    page = open_context(viewport=size, java_script_enabled=False).new_page()
    page.goto("/ru/")
    button = page.locator(".game .button-primary").first
    expect(button).to_be_in_viewport(ratio=1)
    button.click()
    expect(page).to_have_url(re.compile(r"/match/[A-Za-z0-9]{12}/$"))


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, DESK], ids=["phone", "sideways", "desk"])
def test_form_shows_the_fields_of_the_chosen_access_only(open_context, live, size):
    context = open_context(viewport=size)
    come_as_member(context, live, in_own_thread(seasoned, "owner"))
    page = context.new_page()
    page.goto("/play/new/")
    login, least = page.locator("[name=opponent]"), page.locator("[name=least_rating]")
    shown = {"OPEN": (False, True), "LINK": (False, False), "PERSON": (True, False)}
    for access, (has_login, has_range) in shown.items():
        page.locator(f"[name=access][value={access}]").check(force=True)
        expect(login).to_be_visible(visible=has_login)
        expect(least).to_be_visible(visible=has_range)
        for field in filter(Locator.is_visible, (login, least)):
            assert_pressable(field)
    assert_accessible(page, "en")
