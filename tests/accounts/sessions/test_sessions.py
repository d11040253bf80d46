"""The list of devices, and signing them out remotely."""

from datetime import UTC, datetime, timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import broadcast
from accounts.sessions import services as sessions
from accounts.sessions.devices import describe, devices_of
from tests.accounts.factories import PASSWORD, member, sign_in

pytestmark = pytest.mark.django_db
SESSIONS = "/account/sessions/"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0"
IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15"
    " (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1"
)


@pytest.fixture
def anna():
    return member("annika")


@pytest.fixture
def closed(monkeypatch):
    """Record the user ids and session keys whose sockets were closed."""
    closed = []
    monkeypatch.setattr(broadcast, "close_user", closed.append)
    monkeypatch.setattr(broadcast, "close_session", closed.append)
    return closed


@pytest.fixture
def committing(django_capture_on_commit_callbacks):
    """Run on-commit callbacks as after a real commit."""
    return lambda: django_capture_on_commit_callbacks(execute=True)


def enter(login="annika", agent=FIREFOX, address="198.51.100.1"):
    """Return a browser signed in by the form."""
    browser = Client(REMOTE_ADDR=address, headers={"user-agent": agent})
    data = {"login": login, "password": PASSWORD}
    assert browser.post("/account/login/", data).status_code == 302
    return browser


def number_of(browser):
    return UserSession.objects.get(session_key=browser.session.session_key).pk


def is_in(browser):
    return SESSION_KEY in browser.session and browser.get(SESSIONS).status_code == 200


# --- The list ------------------------------------------------------------------------------------


def test_list_names_each_device_and_this_one_first(anna):
    here = enter()
    enter(agent=IPHONE, address="203.0.113.9")
    page = here.get(SESSIONS).content.decode()
    assert page.index("Firefox on Windows") < page.index("Safari on iPhone")
    assert "198.51.100.1" in page
    assert "203.0.113.9" in page
    assert page.count("this device") == 1


def test_list_shows_no_sessions_of_other_members(anna):
    member("boris1")
    enter("boris1", address="203.0.113.77")
    assert "203.0.113.77" not in enter().get(SESSIONS).content.decode()


def test_list_omits_expired_sessions(anna):
    here, there = enter(), enter(agent=IPHONE)
    Session.objects.filter(session_key=there.session.session_key).update(expire_date=NOW)
    names = [device.name for device in devices_of(anna.pk, here.session.session_key, NOW)]
    assert len(names) == 1


def test_session_key_is_nowhere_on_the_page(anna):
    here = enter()
    assert here.session.session_key not in here.get(SESSIONS).content.decode()


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox on Windows"),
        (IPHONE, "Safari on iPhone"),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15"
            " (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1",
            "Chrome on iPhone",
        ),
        (
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)"
            " Chrome/126.0.0.0 Safari/537.36",
            "Chrome on Linux",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
            " Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
            "Edge on Windows",
        ),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)"
            " Chrome/126.0.0.0 YaBrowser/24.6 Safari/537.36",
            "Yandex Browser on Windows",
        ),
        (
            "Mozilla/5.0 (Linux; Android 14; SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko)"
            " SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36",
            "Samsung Internet on Android",
        ),
        (
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15"
            " (KHTML, like Gecko) Version/17.5 Safari/605.1.15",
            "Safari on macOS",
        ),
        ("curl/8.8.0", "Unknown device"),
        ("", "Unknown device"),
    ],
)
def test_device_is_described(agent, name):
    assert describe(agent) == name


def test_hostile_user_agent_is_escaped(anna):
    here = enter(agent="<script>alert(1)</script>Firefox/1")
    assert "<script>alert" not in here.get(SESSIONS).content.decode()


# --- Ending --------------------------------------------------------------------------------------


def test_one_device_is_signed_out(anna, closed, committing):
    here, there = enter(), enter(agent=IPHONE)
    key = there.session.session_key
    with committing():
        response = here.post(SESSIONS, {"end": number_of(there)}, follow=True)
    assert "That device is signed out." in response.content.decode()
    assert closed == [key]
    assert is_in(here)
    assert not is_in(there)


def test_a_button_pressed_twice_signs_the_device_out_once(anna, closed, committing):
    here, there = enter(), enter(agent=IPHONE)
    number, key = number_of(there), there.session.session_key
    with committing():
        answers = [here.post(SESSIONS, {"end": number}) for _ in range(2)]
    assert [answer["Location"] for answer in answers] == [SESSIONS, SESSIONS]
    assert "That device is signed out." in here.get(SESSIONS).content.decode()
    assert closed == [key]
    assert is_in(here)


def test_all_other_devices_are_signed_out(anna, closed, committing):
    here, there, elsewhere = enter(), enter(agent=IPHONE), enter(agent="")
    keys = {there.session.session_key, elsewhere.session.session_key}
    with committing():
        here.post(SESSIONS, {"scope": "others"})
    assert set(closed) == keys
    assert is_in(here)
    assert not is_in(there)
    assert not is_in(elsewhere)


def test_signing_out_everywhere_includes_this_session(anna, closed, committing):
    here, there = enter(), enter(agent=IPHONE)
    with committing():
        response = here.post(SESSIONS, {"scope": "everywhere"})
    assert response["Location"] == "/account/login/"
    assert anna.pk in closed
    assert not is_in(here)
    assert not is_in(there)
    assert not UserSession.objects.exists()


def test_ending_this_session_signs_out(anna):
    here = enter()
    here.post(SESSIONS, {"end": number_of(here)})
    assert not is_in(here)


def test_other_members_keep_their_sessions(anna):
    member("boris1")
    boris = enter("boris1")
    enter().post(SESSIONS, {"scope": "everywhere"})
    assert is_in(boris)


def test_session_of_another_member_cannot_be_ended(anna):
    member("boris1")
    boris = enter("boris1")
    assert enter().post(SESSIONS, {"end": number_of(boris)})["Location"] == SESSIONS
    assert is_in(boris)


@pytest.mark.parametrize("end", ["", "-1", "x", "9" * 30, "9" * 5000, "1 OR 1=1"])
def test_unknown_session_number_ends_no_session(anna, end):
    here = enter()
    assert here.post(SESSIONS, {"end": end}).status_code == 404
    assert is_in(here)


def test_get_ends_no_session(anna):
    here, there = enter(), enter(agent=IPHONE)
    here.get(SESSIONS, {"end": number_of(there), "scope": "everywhere"})
    assert is_in(here)
    assert is_in(there)


def test_visitor_is_redirected_to_sign_in(client):
    assert client.get(SESSIONS)["Location"] == f"/account/login/?next={SESSIONS}"
    assert client.post(SESSIONS, {"scope": "everywhere"}).status_code == 302


# --- Last seen -----------------------------------------------------------------------------------


def seen_at(key):
    return UserSession.objects.get(session_key=key).last_seen_at


def test_last_seen_is_written_at_most_every_five_minutes(anna):
    note = lambda now: sessions.note("k" * 32, anna.pk, "198.51.100.1", FIREFOX, now)  # noqa: E731
    note(NOW)
    note(NOW + timedelta(minutes=4, seconds=59))
    assert seen_at("k" * 32) == NOW
    note(NOW + timedelta(minutes=5))
    assert seen_at("k" * 32) == NOW + timedelta(minutes=5)


def test_latest_address_and_creation_time_are_kept(anna):
    sessions.note("k" * 32, anna.pk, "198.51.100.1", FIREFOX, NOW)
    sessions.note("k" * 32, anna.pk, "203.0.113.9", IPHONE, NOW + timedelta(hours=1))
    row = UserSession.objects.get()
    assert (row.ip, row.user_agent, row.created_at) == ("203.0.113.9", IPHONE, NOW)


def test_repeated_requests_do_not_write_the_session_again(anna, client):
    sign_in(client, anna)
    client.get("/whats-new/")
    assert UserSession.objects.get().session_key == client.session.session_key
    UserSession.objects.all().delete()
    client.get("/whats-new/")
    assert not UserSession.objects.exists()  # the cache still marks the session as noted


def test_list_always_has_this_device(anna, client):
    sign_in(client, anna)
    assert client.get(SESSIONS).content.decode().count("this device") == 1


def test_long_user_agent_is_truncated(anna):
    sessions.note("k" * 32, anna.pk, "198.51.100.1", "x" * 5000, NOW)
    assert len(UserSession.objects.get().user_agent) == 200


def test_devices_of_sessions_that_ended_are_forgotten_by_one_join(anna):
    """PostgreSQL needs hours for a NOT IN of more sessions than it can hash."""
    here, there = enter(), enter(agent=IPHONE)
    Session.objects.filter(session_key=there.session.session_key).delete()
    with CaptureQueriesContext(connection) as queries:
        assert sessions.forget_ended() == 1
    assert UserSession.objects.get().session_key == here.session.session_key
    assert not [each["sql"] for each in queries if "IN (SELECT" in each["sql"]]


def test_visitors_are_not_noted(client):
    client.get("/en/")
    client.get("/training/")
    assert not UserSession.objects.exists()


# --- The life of a session -----------------------------------------------------------------------


def with_days_left(browser, days):
    """Let the browser's session expire after this number of days; return the session's row."""
    row = Session.objects.get(session_key=browser.session.session_key)
    row.expire_date = timezone.now() + timedelta(days=days)
    row.save()
    return row


def test_session_in_use_gets_its_whole_life_again(anna, client, settings):
    row = with_days_left(sign_in(client, anna), 169)
    cookie = client.get("/whats-new/").cookies[settings.SESSION_COOKIE_NAME]
    assert (cookie.value, cookie["max-age"]) == (row.session_key, settings.SESSION_COOKIE_AGE)
    content = row.session_data
    row.refresh_from_db()
    assert row.expire_date > timezone.now() + timedelta(days=179)
    assert row.session_data == content  # another request may be changing it
    assert is_in(client)


def test_renewed_cookie_has_the_attributes_of_a_new_one(anna, settings):
    browser, name = enter(), settings.SESSION_COOKIE_NAME
    first = dict(browser.cookies[name])
    with_days_left(browser, 169)
    cache.clear()  # the sign-in has noted the session
    renewed = dict(browser.get("/whats-new/").cookies[name])
    assert renewed | {"expires": ""} == first | {"expires": ""}


def test_session_whose_life_began_lately_is_not_written(anna, client, settings):
    row = with_days_left(sign_in(client, anna), 171)
    assert settings.SESSION_COOKIE_NAME not in client.get("/whats-new/").cookies
    assert Session.objects.get(session_key=row.session_key).expire_date == row.expire_date
