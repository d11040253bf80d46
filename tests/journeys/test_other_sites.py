"""Sign-in through other sites in a real browser, under the page's real security policy."""

import re
from contextlib import ExitStack

import pytest
from csp.constants import SELF
from playwright.sync_api import expect

from accounts.models import User
from tests.accounts.social.fake_facebook import facebook_with_keys
from tests.accounts.social.fake_sites import site_with_keys


@pytest.fixture
def facebook(settings, monkeypatch, watch):
    with facebook_with_keys(settings, monkeypatch) as fake:
        watch.expect_error(f"asked another host: {fake.url}/dialog")
        yield fake


def test_browser_follows_the_button_to_facebook_and_back(page, facebook):
    page.goto("/account/login/?next=/whats-new/")
    page.get_by_role("button", name="Continue with Facebook").click()
    expect(page.get_by_role("heading", name="Choose your login")).to_be_visible()
    page.get_by_label("Login").fill("annika")
    page.get_by_role("button", name="Create the account").click()
    expect(page).to_have_url(re.compile("/whats-new/$"))
    assert User.objects.get().username == "annika"


def test_policy_that_does_not_name_facebook_stops_the_button(page, facebook, settings, watch):
    """Show that the policy must name the sites that have keys (config/settings.py)."""
    watch.expect_error("form-action")
    policy = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    settings.CONTENT_SECURITY_POLICY = {"DIRECTIVES": {**policy, "form-action": [SELF]}}
    page.goto("/account/login/")
    with page.expect_event("console", lambda message: "form-action" in message.text):
        page.get_by_role("button", name="Continue with Facebook").click()
    assert facebook.requests == []


@pytest.fixture
def other_site(settings, monkeypatch, watch):
    """Serve a fake site under another host name, so that the browser treats it as another site."""

    def site(code, is_form=False):
        fake = stack.enter_context(site_with_keys(code, settings, monkeypatch))
        fake.url, fake.is_form = fake.url.replace("127.0.0.1", "localhost"), is_form
        fake.patch_urls(monkeypatch)
        policy = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
        hosts = {"form-action": [SELF, fake.url]}
        settings.CONTENT_SECURITY_POLICY = {"DIRECTIVES": policy | hosts}
        watch.expect_error(f"asked another host: {fake.url}/")
        return fake

    with ExitStack() as stack:
        yield site


def test_form_post_from_apple_signs_in_without_our_cookies(page, other_site):
    other_site("apple", is_form=True)
    page.goto("/account/login/?next=/whats-new/")
    page.get_by_role("button", name="Continue with Apple").click()
    page.get_by_role("button", name="Go").click()
    expect(page.get_by_role("heading", name="Choose your login")).to_be_visible()
    page.get_by_label("Login").fill("annika")
    page.get_by_role("button", name="Create the account").click()
    expect(page).to_have_url(re.compile("/whats-new/$"))


def test_answer_of_telegram_is_read_by_our_script(page, other_site):
    other_site("telegram")
    page.goto("/account/login/?next=/whats-new/")
    page.get_by_role("button", name="Continue with Telegram").click()
    expect(page.get_by_role("heading", name="Choose your login")).to_be_visible()
    page.get_by_label("Login").fill("annika")
    page.get_by_role("button", name="Create the account").click()
    expect(page).to_have_url(re.compile("/whats-new/$"))


def test_refusal_at_telegram_is_read_by_our_script(page, other_site):
    other_site("telegram").refuses = True
    page.goto("/account/login/")
    page.get_by_role("button", name="Continue with Telegram").click()
    expect(page.get_by_role("heading", name="You canceled the sign-in")).to_be_visible()
