"""Visitors are led back to a page, whatever they sent from it and whatever a browser says."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from config.return_urls import FORM_PAGES, path_of
from tests.accounts.factories import member, sign_in
from tests.config.test_access_matrix import NOT_BY_THIS, ROWS

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

NO_ADDRESS = "http://["
# They answer with no page, and ask nobody to sign in.
WITHOUT_A_PAGE = {"set_language", "set_theme", "account_signup_check", "games:ask_review"}


def kept_page(response):
    """What the language switch of an answered page leads back to."""
    return set(re.findall(r'name="next" value="([^"]*)"', response.content.decode()))


def test_every_address_that_takes_forms_alone_knows_the_page_of_its_form():
    forms_alone = {name for name, row in ROWS.items() if row.get == NOT_BY_THIS}
    assert forms_alone - WITHOUT_A_PAGE == set(FORM_PAGES)


def test_from_a_refused_form_the_language_switch_leads_to_its_page():
    boris = member("boris")
    browser = sign_in(Client(), boris)
    own_page = reverse("people:player", args=[boris.public_id])
    refused = browser.post(reverse("people:block", args=[boris.public_id]))
    assert (refused.status_code, kept_page(refused)) == (422, {own_page})
    refused = browser.post(reverse("people:avatar_upload"))
    assert (refused.status_code, kept_page(refused)) == (422, {reverse("people:profile")})


def test_who_signs_in_after_his_session_ended_under_a_form_comes_back_to_its_page():
    boris = member("boris")
    answer = Client().post(reverse("people:block", args=[boris.public_id]))
    page = reverse("people:player", args=[boris.public_id])
    assert answer["Location"] == f"{reverse('account_login')}?next={page.replace('/', '%2F')}"


def test_what_is_no_address_breaks_nothing():
    browser, strict = Client(), Client(enforce_csrf_checks=True)
    chosen = {"language": "tr", "next": NO_ADDRESS}
    assert browser.post(reverse("set_language"), chosen)["Location"] == "/"
    old = strict.post(reverse("set_theme"), headers={"referer": NO_ADDRESS})
    assert old.status_code == 403
    said = {"HX-Request": "true", "HX-Current-URL": NO_ADDRESS}
    assert browser.get(reverse("home"), headers=said).status_code == 200
    asked = browser.get(reverse("wallet:statement"), headers=said)
    assert asked["HX-Redirect"] == f"{reverse('account_login')}?next=%2F"
    assert path_of(NO_ADDRESS) == ""
