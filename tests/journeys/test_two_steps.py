"""Two-step sign-in in a browser: set up, sign in, use a recovery code, switch off."""

import re

from playwright.sync_api import expect

from tests.accounts.factories import PASSWORD, member
from tests.accounts.second_factor.factories import code_now
from tests.journeys.test_access import assert_accessible
from tests.journeys.test_entrance import enter
from tests.journeys.visitors import NARROW

PAGE = "/account/two-step/"


def sign_out(page):
    page.goto("/account/logout/")
    page.get_by_role("button", name="Sign out").last.click()


def send_code(page, code, button):
    page.locator("[name=code]").fill(code)
    page.get_by_role("button", name=button, exact=True).click()


def test_two_step_sign_in_is_set_up_used_and_switched_off_without_script(
    open_context, live, on_site, watch, settings
):
    settings.EMAIL_BACKEND = "accounts.mail.backend.StoringBackend"
    watch.expect_error("422")
    on_site(member, "annika")
    page = open_context(viewport=NARROW, java_script_enabled=False).new_page()
    page.goto(f"/account/login/?next={PAGE}")
    enter(page)
    page.get_by_role("link", name="Set it up").click()
    secret = page.locator(".app-key").inner_text().replace(" ", "")
    expect(page.locator(".app-code svg path").first).to_be_visible()
    send_code(page, "000000", "Switch on")
    expect(page.get_by_text("This code is wrong or has expired.")).to_be_visible()
    send_code(page, code_now(secret=secret), "Switch on")
    expect(page.locator(".recovery-codes li")).to_have_count(10)
    recovery, another = page.locator(".recovery-codes li").all_inner_texts()[:2]
    page.get_by_role("link", name="I have saved them").click()
    expect(page.get_by_text("You have 10 unused recovery codes.")).to_be_visible()
    sign_out(page)
    page.goto(f"/account/login/?next={PAGE}")
    enter(page, password=PASSWORD)
    # The app's next code: the present one was used for the set-up.
    send_code(page, code_now(secret=secret, later=1), "Sign in")
    expect(page).to_have_url(re.compile(f"{PAGE}$"))
    sign_out(page)
    page.goto(f"/account/login/?next={PAGE}")
    enter(page)
    send_code(page, recovery, "Sign in")
    expect(page.get_by_text("You have 9 unused recovery codes.")).to_be_visible()
    send_code(page, another, "Make new recovery codes")
    expect(page.locator(".recovery-codes li")).to_have_count(10)
    recovery = page.locator(".recovery-codes li").last.inner_text()
    page.get_by_role("link", name="I have saved them").click()
    send_code(page, recovery, "Switch off")
    expect(page.get_by_text("Two-step sign-in is off.")).to_be_visible()


def test_pages_of_two_step_sign_in_are_accessible(open_context, live, on_site):
    on_site(member, "annika")
    page = open_context(viewport=NARROW).new_page()
    page.goto(f"/account/login/?next={PAGE}")
    enter(page)
    page.get_by_role("link", name="Set it up").click()
    assert_accessible(page, "en", is_only_language=True)
    secret = page.locator(".app-key").inner_text().replace(" ", "")
    send_code(page, code_now(secret=secret), "Switch on")
    assert_accessible(page, "en", is_only_language=True)
    page.get_by_role("link", name="I have saved them").click()
    assert_accessible(page, "en", is_only_language=True)
    sign_out(page)
    page.goto("/account/login/")
    enter(page)
    assert_accessible(page, "en", is_only_language=True)
