"""Sign-in through Facebook in a real browser, under the page's real security policy."""

import re

import pytest
from csp.constants import SELF
from playwright.sync_api import expect

from accounts.models import User
from tests.accounts.social.fake_facebook import facebook_with_keys


@pytest.fixture
def facebook(settings, monkeypatch, watch):
    with facebook_with_keys(settings, monkeypatch) as fake:
        watch.expect_error(f"asked another host: {fake.url}/dialog/oauth")
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
    """Show that the keys' addition to the policy (config/settings.py) is needed."""
    watch.expect_error("form-action")
    policy = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    settings.CONTENT_SECURITY_POLICY = {"DIRECTIVES": {**policy, "form-action": [SELF]}}
    page.goto("/account/login/")
    with page.expect_event("console", lambda message: "form-action" in message.text):
        page.get_by_role("button", name="Continue with Facebook").click()
    assert facebook.requests == []
