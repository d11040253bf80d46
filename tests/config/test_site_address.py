"""Absolute links begin with SITE_URL, whatever Host header the visitor sends."""

import re
from io import StringIO

import pytest
from allauth.core import context
from django.test import Client
from django.urls import reverse

from accounts.mail import member_emails
from accounts.models import OutgoingEmail
from accounts.social import added_email
from config.management.commands.serve import Command
from config.middleware import SiteAddress
from lobby.models import Seek
from tests.accounts.factories import member, sign_in
from tests.accounts.signup.signing_up import SIGN_UP, sign_up
from tests.accounts.social.fake_facebook import facebook_with_keys
from tests.lobby.factories import SeekFactory

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
SITE = "https://play.example.org"
FORGED = "testserver:6666"
RESET = "/account/password/reset/"


@pytest.fixture(autouse=True)
def site_url(settings):
    settings.EMAIL_BACKEND = "accounts.mail.backend.StoringBackend"
    settings.SITE_URL = SITE


@pytest.fixture
def forger():
    """Return a browser that sends a forged Host header."""
    return Client(headers={"host": FORGED})


def links_in(text):
    return re.findall(r"https?://[^\s\"'<>&]+", text)


def only_email_text():
    (email,) = OutgoingEmail.objects.all()
    return email.text


def assert_links_begin_with_site_url(text):
    found = links_in(text)
    assert found, text
    assert all(link.startswith(f"{SITE}/") for link in found), found


def test_link_to_a_new_password_begins_with_site_url(forger):
    member("annika")
    forger.post(RESET, {"email": "annika@example.org"})
    assert_links_begin_with_site_url(only_email_text())


def test_link_of_the_sign_up_email_begins_with_site_url(forger):
    assert sign_up(forger).status_code == 302
    assert_links_begin_with_site_url(only_email_text())


def test_links_sent_to_a_mailbox_with_an_account_begin_with_site_url(forger):
    member("annika")
    sign_up(forger, email="annika@example.org")
    assert_links_begin_with_site_url(only_email_text())


def test_links_sent_to_a_mailbox_without_an_account_begin_with_site_url(forger):
    forger.post(RESET, {"email": "nobody@example.org"})
    assert_links_begin_with_site_url(only_email_text())
    assert f"{SITE}{SIGN_UP}" in only_email_text()


def test_links_of_the_email_about_a_new_password_begin_with_site_url(forger):
    member("annika")
    forger.post(RESET, {"email": "annika@example.org"})
    path = links_in(only_email_text())[0].removeprefix(SITE)
    OutgoingEmail.objects.all().delete()
    page = forger.get(path, follow=True)
    forger.post(page.request["PATH_INFO"], {"password1": "Other7passphrase"})
    assert_links_begin_with_site_url(only_email_text())


def test_link_to_an_added_email_begins_with_site_url(rf):
    request = rf.get("/", headers={"host": FORGED})
    SiteAddress(lambda request: None).process_request(request)
    with context.request_context(request):
        added_email.offer(request, member("annika"), "anna@example.org")
    assert_links_begin_with_site_url(only_email_text())


def test_link_of_an_invitation_begins_with_site_url(forger):
    anna = member("annika")
    seek = SeekFactory(owner=anna, access=Seek.Access.LINK, stake=25)
    page = sign_in(forger, anna).get(reverse("lobby:seek", args=[seek.public_id])).content.decode()
    assert FORGED not in page
    assert f'value="{SITE}/' in page


def test_addresses_of_other_languages_begin_with_site_url(forger):
    page = forger.get("/en/").content.decode()
    assert FORGED not in page
    assert f'href="{SITE}/tr/"' in page


def test_export_of_personal_data_names_site_url(forger):
    export = sign_in(forger, member("annika")).get("/profile/export/").json()
    assert export["site"] == f"{SITE}/"


def test_facebook_leads_back_to_site_url(forger, settings, monkeypatch):
    with facebook_with_keys(settings, monkeypatch):
        begun = forger.post("/account/social/facebook/login/", query_params={"process": "login"})
    assert "redirect_uri=https%3A%2F%2Fplay.example.org%2Faccount%2F" in begun["Location"]


def test_without_site_url_a_link_has_the_host_of_its_request(settings):
    settings.SITE_URL = ""
    page = Client(headers={"host": "testserver:8123"}).get("/en/").content.decode()
    assert 'href="http://testserver:8123/tr/"' in page


def test_without_site_url_links_in_emails_have_the_address_of_this_machine(settings):
    settings.SITE_URL, settings.LOCAL_URL = "", "http://127.0.0.1:8001"
    member_emails.write(member("annika").pk, "silence_ended", {"reason": "A mistake."})
    found = links_in(only_email_text())
    assert found
    assert all(link.startswith("http://127.0.0.1:8001") for link in found), found


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("127.0.0.1", "http://127.0.0.1:8001"), ("0.0.0.0", "http://127.0.0.1:8001"),
        ("::1", "http://[::1]:8001"), ("::", "http://[::1]:8001"),
        ("192.0.2.7", "http://192.0.2.7:8001"),
    ],
)  # fmt: skip
def test_server_on_all_addresses_puts_one_of_this_machine_into_links(settings, host, origin):
    settings.PLAIN_HTTP, settings.LOCAL_URL = True, ""
    out = StringIO()
    Command(stdout=out)._ready("", host, 8001)
    assert origin == settings.LOCAL_URL
    assert f"ready: {origin}/ " in out.getvalue()


def test_public_server_names_the_addresses_on_which_it_listens(settings):
    settings.PLAIN_HTTP = settings.DEMO = False
    settings.LOCAL_URL = ""
    out = StringIO()
    Command(stdout=out)._ready("", "0.0.0.0", 8000)
    assert settings.LOCAL_URL == ""
    assert "ready: http://0.0.0.0:8000/ " in out.getvalue()


@pytest.mark.parametrize("location", [None, "/", "/en/?a=b", "page", "/ru/игра/"])
def test_addresses_are_built_as_django_builds_them(rf, settings, location):
    settings.SITE_URL = "http://testserver"
    built_by_django = rf.get("/en/?next=%2F").build_absolute_uri(location)
    request = rf.get("/en/?next=%2F")
    SiteAddress(lambda request: None).process_request(request)
    assert request.build_absolute_uri(location) == built_by_django
