"""Invented session cookies reach the database a bounded number of times for each network."""

import secrets

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.accounts.factories import PASSWORD, member, sign_in
from tests.accounts.sessions.hostile_keys import HOSTILE_KEYS

pytestmark = pytest.mark.django_db

PAGE = "/account/login/"
LIMIT = 5


@pytest.fixture(autouse=True)
def _few(settings):
    settings.ACCOUNT_RATE_LIMITS = {
        **settings.ACCOUNT_RATE_LIMITS,
        "unknown_session": f"{LIMIT}/m/ip",
    }


def open_with_invented_cookie(address="203.0.113.7"):
    """Open a page with a new made-up cookie; return the answer and its queries of sessions."""
    client = Client(REMOTE_ADDR=address)
    client.cookies[settings.SESSION_COOKIE_NAME] = secrets.token_hex(16)
    with CaptureQueriesContext(connection) as caught:
        answer = client.get(PAGE)
    return answer, [each for each in caught if "django_session" in each["sql"]]


def test_invented_cookies_reach_the_database_only_up_to_the_limit():
    found = [open_with_invented_cookie() for _ in range(LIMIT + 20)]
    assert sum(len(queries) for _, queries in found) <= LIMIT
    assert {answer.status_code for answer, _ in found[LIMIT:]} == {429}
    assert int(found[-1][0]["Retry-After"]) > 0
    assert found[0][0].status_code == 200


def test_other_networks_and_visitors_without_a_cookie_are_not_refused():
    for _ in range(LIMIT + 1):
        open_with_invented_cookie()
    assert open_with_invented_cookie("198.51.100.9")[0].status_code == 200
    assert Client(REMOTE_ADDR="203.0.113.7").get(PAGE).status_code == 200


def test_member_seen_before_stays_signed_in_on_a_limited_network():
    known, new = Client(REMOTE_ADDR="203.0.113.7"), Client(REMOTE_ADDR="203.0.113.7")
    anna, boris = member("anna5"), member("boris")
    sign_in(known, anna)
    sign_in(new, boris)
    assert known.get("/account/sessions/").status_code == 200
    for _ in range(LIMIT + 1):
        open_with_invented_cookie()
    assert known.get("/account/sessions/").status_code == 200
    refused = new.get("/account/sessions/")  # not seen with this cookie yet
    assert refused.status_code == 429
    assert not refused.cookies  # the cookie is not deleted


def test_signing_out_does_not_count_as_an_invented_cookie():
    for number in range(LIMIT + 1):
        client = Client(REMOTE_ADDR="203.0.113.7")
        sign_in(client, member(f"member{number}"))
        client.get("/account/sessions/")
        client.post("/account/logout/")
    assert open_with_invented_cookie()[0].status_code == 200


def test_late_answer_does_not_delete_the_cookie_of_a_sign_in_meanwhile():
    member("annika")
    browser, late = Client(), Client()
    browser.post("/training/", {})  # a guest
    browser.get("/play/")
    late.cookies[settings.SESSION_COOKIE_NAME] = browser.session.session_key
    browser.post(PAGE, {"login": "annika", "password": PASSWORD})
    answer = late.get("/play/")
    assert answer.wsgi_request.session.is_empty()
    assert settings.SESSION_COOKIE_NAME not in answer.cookies


def test_cookie_of_a_session_that_was_not_seen_lately_is_deleted():
    answer, _ = open_with_invented_cookie()
    assert answer.cookies[settings.SESSION_COOKIE_NAME].value == ""


@pytest.mark.parametrize("hostile", HOSTILE_KEYS)
def test_cookie_that_cannot_be_a_key_never_reaches_the_database(hostile):
    """PostgreSQL fails at a NUL: each such request would be a 500 with a traceback in the log."""
    cookie = f"{settings.SESSION_COOKIE_NAME}={hostile}"
    with CaptureQueriesContext(connection) as caught:
        answer = Client().get("/play/", headers={"cookie": cookie})
    assert answer.status_code == 200
    assert not [each for each in caught if "django_session" in each["sql"]]
