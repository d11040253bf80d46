"""Sign in by login or email, and the refusals."""

import re
from uuid import uuid4

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.hashers import MD5PasswordHasher
from django.test import Client
from django.urls import reverse

from accounts.models import Preferences, User
from tests.accounts.factories import PASSWORD, member, sign_in, unactivated

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
LOGIN = "/account/login/"
SAME_ERROR = "Wrong login or password."


@pytest.fixture
def anna():
    return member("annika")


def enter(client, login, password=PASSWORD, **more):
    return client.post(LOGIN, {"login": login, "password": password, **more})


def is_signed_in(client):
    return SESSION_KEY in client.session


@pytest.mark.parametrize("typed", ["annika", "ANNIKA", "annika@example.org", "Annika@Example.ORG"])
def test_member_signs_in_by_login_or_email_whatever_the_case(client, anna, typed):
    response = enter(client, typed)
    assert response.status_code == 302
    assert response["Location"] == "/en/"
    assert client.session[SESSION_KEY] == str(anna.pk)


def test_session_key_changes_at_sign_in(client, anna):
    session = client.session
    session["guest"] = str(uuid4())
    session.save()
    before = session.session_key
    enter(client, "annika")
    assert client.session.session_key != before
    assert not client.session.exists(before)


def test_page_is_a_form_that_password_managers_know(client):
    page = client.get(LOGIN).content.decode()
    assert 'autocomplete="username"' in page
    assert 'autocomplete="current-password"' in page


# --- Outdated hashes -----------------------------------------------------------------------------


class StrongerHasher(MD5PasswordHasher):
    """A later version of the hasher, which would renew every stored hash."""

    def must_update(self, encoded):
        return True


@pytest.fixture
def stronger_hashes(settings):
    settings.PASSWORD_HASHERS = [f"{__name__}.StrongerHasher"]


@pytest.mark.usefixtures("stronger_hashes")
def test_typed_password_with_an_outdated_hash_ends_no_session(client, anna):
    here, there = sign_in(client, anna), sign_in(Client(), anna)
    assert enter(Client(), "annika")["Location"] == "/en/"
    assert enter(Client(), "annika@example.org")["Location"] == "/en/"
    assert here.post("/account/reauthenticate/", {"password": PASSWORD}).status_code == 302
    assert here.get("/account/sessions/").status_code == 200
    assert there.get("/account/sessions/").status_code == 200


@pytest.mark.usefixtures("stronger_hashes")
def test_slow_check_of_the_old_password_does_not_undo_a_new_one(anna):
    as_read_before = User.objects.get(pk=anna.pk)
    anna.set_password("Other7passphrase")
    anna.save()
    assert as_read_before.check_password(PASSWORD)
    assert User.objects.get(pk=anna.pk).check_password("Other7passphrase")


# --- Refusals ------------------------------------------------------------------------------------


def shown(response, typed):
    """Return the page without its CSRF token and the typed text, which differ in every answer."""
    page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", response.content.decode())
    return page.replace(typed, "")


def test_wrong_password_and_unknown_login_get_the_same_answer(client, anna):
    known, unknown = enter(client, "annika", "Wrong1234"), enter(client, "nobody1", "Wrong1234")
    assert known.status_code == unknown.status_code == 422
    assert SAME_ERROR in known.content.decode()
    assert shown(known, "annika") == shown(unknown, "nobody1")
    assert not is_signed_in(client)


def test_wrong_password_and_unknown_email_get_the_same_answer(client, anna):
    known = enter(client, "annika@example.org", "Wrong1234")
    unknown = enter(client, "nobody@example.org", "Wrong1234")
    assert known.status_code == unknown.status_code == 422
    assert SAME_ERROR in known.content.decode()
    assert shown(known, "annika@example.org") == shown(unknown, "nobody@example.org")


@pytest.mark.parametrize(
    ("known", "unknown"),
    [("annika", "nobody1"), ("annika@example.org", "nobody@example.org")],
)
def test_known_and_unknown_logins_take_the_same_work(client, anna, hashed, known, unknown):
    """Hashing takes most of the time; an unknown login causes as much of it as a known one."""
    enter(client, known, "Wrong1234")
    for_known = len(hashed)
    enter(client, unknown, "Wrong1234")
    assert for_known > 0
    assert len(hashed) == 2 * for_known


def test_empty_fields_get_their_own_errors(client):
    response = enter(client, "", "")
    assert response.status_code == 422
    assert SAME_ERROR not in response.content.decode()
    assert 'id="id_login_error"' in response.content.decode()


def test_unactivated_account_is_redirected_to_the_verification_page(client):
    unactivated("boris1")
    response = enter(client, "boris1")
    assert response["Location"] == reverse("account_email_verification_sent")
    assert not is_signed_in(client)


def test_banned_account_sees_the_ban_only_with_its_password(client, anna):
    anna.is_active = False
    anna.save()
    assert enter(client, "annika", "Wrong1234").status_code == 422
    response = enter(client, "annika")
    assert response["Location"] == reverse("account_inactive")
    assert not is_signed_in(client)
    page = client.get(response["Location"])
    assert "This account is banned" in page.content.decode()


# --- Redirects -----------------------------------------------------------------------------------


def test_sign_in_returns_to_the_previous_page(client, anna):
    page = client.get(LOGIN, {"next": "/credits/?page=2"}).content.decode()
    assert 'name="next" value="/credits/?page=2"' in page
    assert enter(client, "annika", next="/credits/?page=2")["Location"] == "/credits/?page=2"


@pytest.mark.parametrize(
    "foreign",
    [
        "https://evil.example/",
        "//evil.example/",
        "/\\evil.example",
        "javascript:alert(1)",
        "http://testserver.evil.example/",
        "http://localhost/",
    ],
)
def test_next_url_of_another_host_is_ignored(client, anna, foreign):
    assert enter(client, "annika", next=foreign)["Location"] == "/en/"


def test_error_keeps_the_next_url(client, anna):
    response = enter(client, "annika", "Wrong1234", next="/credits/")
    assert 'name="next" value="/credits/"' in response.content.decode()


def test_sign_in_switches_to_the_members_language(client, anna):
    Preferences.objects.filter(user=anna).update(language="tr")
    assert enter(client, "annika")["Location"] == "/tr/"
    client.logout()
    response = enter(client, "annika", next="/en/rules/long/")
    assert response["Location"] == "/tr/rules/long/"
    assert response.cookies["django_language"].value == "tr"


def test_members_theme_applies_on_every_device(client, anna):
    Preferences.objects.filter(user=anna).update(theme="light")
    client.cookies["theme"] = "dark"
    enter(client, "annika")
    assert 'data-theme="light"' in client.get("/whats-new/").content.decode()


def test_signed_in_member_is_redirected(client, anna):
    sign_in(client, anna)
    response = client.get(LOGIN, {"next": "/credits/"})
    assert (response.status_code, response["Location"]) == (302, "/credits/")
