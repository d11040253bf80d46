"""Sign-in, a new password, devices: in a real browser, also without script."""

import re

import pytest
from playwright.sync_api import expect

from tests.accounts.factories import PASSWORD, member
from tests.accounts.mail.mailbox import last_to, link_in
from tests.journeys.test_access import assert_accessible, languages_of
from tests.journeys.visitors import DESK, NARROW, PHONE, come_as_member, set_language

EMAIL = "annika@example.org"
NEW = "Other7passphrase"


@pytest.fixture(autouse=True)
def _emails(settings):
    settings.EMAIL_BACKEND = "accounts.mail.backend.StoringBackend"


@pytest.fixture
def anna(live, on_site):
    return on_site(member, "annika")


@pytest.fixture
def link(on_site):
    return lambda: on_site(lambda: link_in(last_to(EMAIL)))


def enter(page, login="annika", password=PASSWORD):
    page.locator("[name=login]").fill(login)
    page.locator("[name=password]").fill(password)
    page.locator("[name=password]").press("Enter")


def test_sign_in_and_password_reset_work_without_script(open_context, anna, link, watch):
    """Try a wrong password, set a new one by the emailed link, sign in and sign out."""
    for status in ("422", "410"):
        watch.expect_error(status)
    page = open_context(viewport=NARROW, java_script_enabled=False).new_page()
    page.goto("/account/login/?next=/whats-new/")
    enter(page, password="Wrong1234")
    expect(page.get_by_role("alert")).to_contain_text("Wrong login or password")
    page.get_by_role("link", name="Forgot your password?").last.click()
    page.locator("[name=email]").fill(EMAIL)
    page.get_by_role("button", name="Send me the link").click()
    expect(page.get_by_role("heading", name="Check your inbox")).to_be_visible()
    url = link()
    page.goto(url)
    page.locator("[name=password1]").fill("short")
    page.get_by_role("button", name="Set the new password").click()
    expect(page.locator(".condition.is-unmet")).to_have_count(3)
    page.locator("[name=password1]").fill(NEW)
    page.get_by_role("button", name="Set the new password").click()
    expect(page.get_by_role("heading", name="Your password is changed")).to_be_visible()
    page.goto(url)
    expect(page.get_by_text("A link is valid for one hour and works once.")).to_be_visible()
    page.goto("/account/login/?next=/whats-new/")
    enter(page, password=NEW)
    expect(page).to_have_url(re.compile("/whats-new/$"))
    page.goto("/account/sessions/")
    page.get_by_role("button", name="Sign out everywhere, including here").click()
    expect(page).to_have_url(re.compile("/account/login/$"))
    page.goto("/account/sessions/")
    expect(page).to_have_url(re.compile("/account/login/"))


def test_new_password_is_checked_during_typing(open_context, anna, link):
    page = open_context(viewport=PHONE).new_page()
    page.goto("/account/password/reset/")
    page.locator("[name=email]").fill(EMAIL)
    page.locator("[name=email]").press("Enter")
    expect(page.get_by_role("heading", name="Check your inbox")).to_be_visible()
    page.goto(link())
    page.locator("[name=password1]").press_sequentially("Annika77")
    expect(page.locator(".condition.is-unmet")).to_have_text([re.compile("Does not contain")])
    page.locator("[name=password1]").fill(NEW)
    expect(page.locator(".condition.is-met")).to_have_count(6)


def test_remote_sign_out_reaches_the_device_at_once(open_context, live, anna):
    there, here = open_context(viewport=PHONE), open_context(viewport=DESK)
    come_as_member(there, live, anna)
    come_as_member(here, live, anna)
    far = there.new_page()
    far.goto("/whats-new/")
    expect(far.locator("body")).to_have_attribute("data-site-line", "live")
    page = here.new_page()
    page.goto("/account/sessions/")
    expect(page.locator(".device")).to_have_count(2)
    page.get_by_role("button", name="Sign out all others").click()
    expect(page.locator(".device")).to_have_count(1)
    expect(far.locator("body")).not_to_have_attribute("data-site-line", "live")
    far.goto("/account/sessions/")
    expect(far).to_have_url(re.compile("/account/login/"))


@pytest.mark.parametrize("language", languages_of(2))
def test_visitor_pages_are_accessible(open_context, live, anna, link, watch, language):
    for status in ("422", "429"):
        watch.expect_error(status)
    context = open_context(viewport=NARROW)
    set_language(context, live, language)
    page = context.new_page()
    page.goto("/account/password/reset/")
    page.locator("[name=email]").fill(EMAIL)
    page.locator("[name=email]").press("Enter")
    page.wait_for_url("**/done/")
    page.goto(link())
    # One fill is one request for the check, so that nothing changes while axe runs.
    page.locator("[name=password1]").fill("Annika7")
    expect(page.locator(".condition.is-met")).not_to_have_count(0)
    assert_accessible(page, language)
    page.goto("/account/login/")
    for _ in range(5):
        with page.expect_event("framenavigated"):
            enter(page, password="Wrong1234")
    assert_accessible(page, language)
    enter(page)
    expect(page.locator(".error-page")).to_be_visible()
    assert_accessible(page, language)
