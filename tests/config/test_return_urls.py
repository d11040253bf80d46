"""Visitors return to the page of a refused form; malformed addresses cause no error."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from config.return_urls import FORM_PAGES, path_of
from tests.accounts.factories import PASSWORD, member, sign_in
from tests.config.test_access_matrix import NOT_ALLOWED, ROWS

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

MALFORMED_ADDRESS = "http://["
# Names of URLs that show no page and need no sign-in.
WITHOUT_A_PAGE = {
    "set_language", "set_theme", "account_signup_check", "games:ask_review", "shop:webhook",
}  # fmt: skip


def return_addresses(response):
    """Return the addresses to which the language switch of the page leads back."""
    return set(re.findall(r'name="next" value="([^"]*)"', response.content.decode()))


def test_every_post_only_url_names_the_page_of_its_form():
    post_only = {name for name, row in ROWS.items() if row.get == NOT_ALLOWED}
    assert post_only - WITHOUT_A_PAGE == set(FORM_PAGES)


def test_language_switch_of_a_refused_form_leads_to_its_page():
    boris = member("boris")
    browser = sign_in(Client(), boris)
    own_page = reverse("people:player", args=[boris.public_id])
    refused = browser.post(reverse("people:block", args=[boris.public_id]))
    assert (refused.status_code, return_addresses(refused)) == (422, {own_page})
    refused = browser.post(reverse("people:avatar_upload"))
    assert (refused.status_code, return_addresses(refused)) == (422, {reverse("people:profile")})


def test_sign_in_after_an_ended_session_returns_to_the_page_of_the_form():
    boris = member("boris")
    answer = Client().post(reverse("people:block", args=[boris.public_id]))
    page = reverse("people:player", args=[boris.public_id])
    assert answer["Location"] == f"{reverse('account_login')}?next={page.replace('/', '%2F')}"


def test_malformed_addresses_cause_no_error():
    browser, strict = Client(), Client(enforce_csrf_checks=True)
    chosen = {"language": "tr", "next": MALFORMED_ADDRESS}
    assert browser.post(reverse("set_language"), chosen)["Location"] == "/"
    response = strict.post(reverse("set_theme"), headers={"referer": MALFORMED_ADDRESS})
    assert response.status_code == 403
    headers = {"HX-Request": "true", "HX-Current-URL": MALFORMED_ADDRESS}
    assert browser.get(reverse("home"), headers=headers).status_code == 200
    response = browser.get(reverse("wallet:statement"), headers=headers)
    assert response["HX-Redirect"] == f"{reverse('account_login')}?next=%2F"
    assert path_of(MALFORMED_ADDRESS) == ""


@pytest.mark.parametrize(
    ("url", "fields", "otherwise"),
    [
        ("wallet:age", {}, "wallet:limits"),
        ("games:reminder", {}, "wallet:limits"),
        ("account_reauthenticate", {"password": PASSWORD}, "people:profile"),
        ("set_theme", {"theme": "dark"}, "home"),
        ("shop:take_gift", {}, "shop:gifts"),
    ],
)
def test_return_url_that_is_not_a_path_leads_to_the_default_page(url, fields, otherwise, settings):
    """`redirect` would take a word without a slash for the name of a URL, and answer 500."""
    settings.MINIMUM_AGE = 18
    browser = sign_in(Client(), member("boris"))
    answer = browser.post(reverse(url), {**fields, "next": "nowhere"})
    assert (answer.status_code, answer["Location"]) == (302, reverse(otherwise))
