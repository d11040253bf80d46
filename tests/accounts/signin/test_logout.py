"""Sign out of this session by a form, which closes the session's sockets too."""

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.test import Client

from accounts import broadcast
from tests.accounts.factories import PASSWORD, member, sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
LOGOUT = "/account/logout/"


@pytest.fixture
def anna():
    return member("annika")


@pytest.fixture
def closed(monkeypatch):
    """Record the sessions whose sockets were closed."""
    keys = []
    monkeypatch.setattr(broadcast, "close_session", keys.append)
    return keys


def test_sign_out_ends_the_session_and_its_sockets(
    client, anna, closed, django_capture_on_commit_callbacks
):
    client.post("/account/login/", {"login": "annika", "password": PASSWORD})
    key = client.session.session_key
    with django_capture_on_commit_callbacks(execute=True):
        response = client.post(LOGOUT)
    assert response["Location"] == "/en/"
    assert SESSION_KEY not in client.session
    assert closed == [key]
    assert not Session.objects.filter(session_key=key).exists()
    assert not UserSession.objects.filter(session_key=key).exists()


def test_sign_out_deletes_the_cookie_of_a_session_that_was_seen(client, anna, settings):
    sign_in(client, anna)
    client.get("/account/sessions/")
    assert client.post(LOGOUT).cookies[settings.SESSION_COOKIE_NAME].value == ""


def test_rolled_back_sign_out_closes_no_socket(client, anna, closed):
    sign_in(client, anna)
    client.post(LOGOUT)  # this test's transaction never commits
    assert closed == []


def test_sign_out_of_the_admin_ends_the_session_and_its_sockets_too(
    client, anna, closed, django_capture_on_commit_callbacks
):
    anna.is_staff = True
    anna.save()
    sign_in(client, anna)
    key = client.session.session_key
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/admin/logout/")
    assert SESSION_KEY not in client.session
    assert closed == [key]


def test_other_devices_stay_signed_in(client, anna):
    other = sign_in(Client(), anna)
    sign_in(client, anna)
    client.post(LOGOUT)
    assert other.get("/account/sessions/").status_code == 200


def test_get_only_asks_for_confirmation(client, anna):
    sign_in(client, anna)
    page = client.get(LOGOUT)
    assert page.status_code == 200
    assert 'action="/account/logout/"' in page.content.decode()
    assert SESSION_KEY in client.session


def test_visitor_is_redirected_home(client):
    assert client.get(LOGOUT)["Location"] == "/en/"
    assert client.post(LOGOUT)["Location"] == "/en/"


def test_next_url_of_another_host_is_ignored(client, anna):
    sign_in(client, anna)
    assert client.post(LOGOUT, {"next": "https://evil.example/"})["Location"] == "/en/"
