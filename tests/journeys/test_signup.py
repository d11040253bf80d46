"""Sign-up in a browser on a phone: the checks while typing, and the way without script."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from accounts.signup import services as signup
from tests.accounts.factories import PASSWORD, member
from tests.accounts.mail.mailbox import last_to, link_in
from tests.accounts.signup.signing_up import EMAIL
from tests.journeys.test_access import assert_accessible, languages_of
from tests.journeys.visitors import NARROW, PHONE, set_language


@pytest.fixture(autouse=True)
def _emails(settings):
    settings.EMAIL_BACKEND = "accounts.mail.backend.StoringBackend"


@pytest.fixture(autouse=True)
def _no_second_email_yet(monkeypatch):
    """Refuse a second email for 50 minutes, so that a slow browser is refused too."""
    monkeypatch.setattr(signup, "FIRST_WAIT", timedelta(minutes=50))


@pytest.fixture
def link(on_site):
    return lambda: on_site(lambda: link_in(last_to(EMAIL)))


@pytest.fixture
def form(open_context, live):
    page = open_context(viewport=PHONE).new_page()
    page.goto("/account/signup/")
    return page


def fill_in(page, login="Boris7", email=EMAIL, password=PASSWORD):
    page.locator("[name=username]").fill(login)
    page.locator("[name=email]").fill(email)
    page.locator("[name=password1]").fill(password)


def send(page):
    page.get_by_role("button", name="Create the account").click()


def unmet(page, name):
    return page.locator(f"#{name}-conditions .is-unmet")


def test_conditions_are_checked_during_typing_and_announced_politely(form, live, on_site):
    on_site(member, "annika")
    form.locator("[name=username]").press_sequentially("ann")
    expect(unmet(form, "username")).to_have_text(["Not yet: 5 to 10 characters."])
    expect(form.locator("#username-said")).to_have_text("Not yet: 5 to 10 characters.")
    form.locator("[name=username]").press_sequentially("ika")
    expect(unmet(form, "username")).to_have_text(["Not yet: Already taken."])
    form.locator("[name=username]").fill("Boris7")
    expect(form.locator("#username-said")).to_have_text("All conditions are met.")

    form.locator("[name=password1]").fill("Boris7777")
    expect(unmet(form, "password1")).to_have_count(1)
    form.locator("[name=username]").fill("Anna77")
    expect(unmet(form, "password1")).to_have_count(0)
    expect(form.locator("[name=username]")).to_be_focused()


def test_typed_text_never_appears_in_a_url(form):
    asked = []
    form.on("request", lambda request: asked.append(request.url))
    fill_in(form)
    expect(form.locator("#password1-conditions .is-met")).to_have_count(6)
    assert any("/signup/check/" in url for url in asked)
    assert not [url for url in asked if PASSWORD in url or "Boris7" in url or "boris" in url]


def test_password_can_be_shown_and_hidden_again(form):
    box, eye = (
        form.locator("[name=password1]"),
        form.get_by_role("button", name="Show the password"),
    )
    box.fill(PASSWORD)
    eye.click()
    expect(box).to_have_attribute("type", "text")
    expect(eye).to_have_attribute("aria-pressed", "true")
    eye.click()
    expect(box).to_have_attribute("type", "password")


def test_sign_up_and_activation_lead_home_signed_in(form, link):
    fill_in(form)
    send(form)
    expect(form.locator(".mailbox")).to_have_text(EMAIL)
    again = form.get_by_role("button", name="Send another email")
    expect(again).to_be_disabled()
    expect(form.locator("#again-wait")).to_contain_text(re.compile(r"\d\d:\d\d"))
    form.goto(link())
    form.get_by_role("button", name="Activate the account").click()
    expect(form.get_by_text("Your account is active.")).to_be_visible()
    expect(form.locator("body")).to_have_attribute("data-site-line", "live")


def test_sign_up_and_activation_work_without_script(open_context, live, watch, link):
    watch.expect_error("422")
    page = open_context(viewport=NARROW, java_script_enabled=False).new_page()
    page.goto("/account/signup/")
    fill_in(page, login="bo")
    send(page)
    expect(unmet(page, "username")).to_have_text(["Not yet: 5 to 10 characters."])
    expect(page.locator(".reveal")).to_be_hidden()
    fill_in(page)
    send(page)
    expect(page.locator(".mailbox")).to_have_text(EMAIL)

    page.get_by_role("button", name="Send another email").click()
    expect(page.locator(".messages")).to_contain_text("You can ask for another email in")
    page.get_by_text("Wrong address?").click()
    page.locator("[name=email]").fill(EMAIL.replace("boris", "other"))
    page.get_by_role("button", name="Send the email there instead").click()
    expect(page.locator(".mailbox")).to_have_text(EMAIL.replace("boris", "other"))
    page.get_by_text("Wrong address?").click()
    page.locator("[name=email]").fill(EMAIL)
    page.get_by_role("button", name="Send the email there instead").click()
    expect(page.locator(".mailbox")).to_have_text(EMAIL)
    page.goto(link())  # the newest one; a new email makes earlier links invalid
    page.get_by_role("button", name="Activate the account").click()
    expect(page.get_by_text("Your account is active.")).to_be_visible()


@pytest.mark.parametrize("language", languages_of(2))
def test_signup_pages_are_accessible(open_context, live, watch, language):
    watch.expect_error("422")
    context = open_context(viewport=NARROW)
    set_language(context, live, language)
    page = context.new_page()
    page.goto("/account/signup/")
    fill_in(page, login="бо", password="short")
    page.locator("main button.button-primary").click()
    expect(page.locator(".notice.error")).to_be_visible()
    assert_accessible(page, language)
    fill_in(page)
    page.locator("main button.button-primary").click()
    expect(page.locator(".mailbox")).to_have_text(EMAIL)
    page.locator(".other-address summary").click()
    assert_accessible(page, language)
