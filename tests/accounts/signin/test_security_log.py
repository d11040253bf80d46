"""The security log names the event and the user, and nothing that was typed."""

import logging

import pytest
from django.test import Client

from tests.accounts.factories import PASSWORD, member, sign_in
from tests.accounts.second_factor.factories import code_now, with_second_factor

pytestmark = pytest.mark.django_db
LOGIN, CODE = "/account/login/", "/account/login/code/"


@pytest.fixture
def lines(caplog):
    """Return a function that gives the lines of the log so far."""
    caplog.set_level(logging.INFO, "security")
    return lambda: [each.getMessage() for each in caplog.records if each.name == "security"]


def enter(client, login, password=PASSWORD):
    return client.post(LOGIN, {"login": login, "password": password})


def test_right_and_wrong_sign_ins_are_logged_without_what_was_typed(client, lines, caplog):
    anna = member("annika")
    enter(client, "annika", "Wrong-1password")
    enter(client, "annika")
    assert lines() == [
        "sign-in refused",
        f"step of signing in by password: user {anna.pk}",
        f"signed in: user {anna.pk}",
    ]
    assert not [text for text in ("annika", PASSWORD, "Wrong-1password") if text in caplog.text]


def test_second_steps_are_logged(client, lines):
    anna = with_second_factor(member("annika"))
    enter(client, "annika")
    client.post(CODE, {"code": "000000"})
    client.post(CODE, {"code": code_now()})
    assert lines()[1:] == [
        f"code refused: user {anna.pk} at account_code",
        f"step of signing in by mfa: user {anna.pk}",
        f"signed in: user {anna.pk}",
    ]


def test_refused_access_is_logged(lines):
    anna = member("annika")
    sign_in(Client(), anna).get("/admin/", follow=True)
    assert f"access refused: user {anna.pk} at admin:login" in lines()


def test_used_up_limits_are_logged(client, lines):
    member("annika")
    for _ in range(6):
        enter(client, "annika", "Wrong-1password")
    assert lines()[-1] == "limit used up: user None at account_login"
