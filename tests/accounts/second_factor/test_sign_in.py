"""Every way of signing in asks for the second step."""

import re
from datetime import timedelta

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth import SESSION_KEY
from django.test import Client
from django.utils import timezone

from accounts.second_factor import services
from accounts.second_factor.sign_in_views import WAITS_S
from accounts.second_factor.stage import HASH
from tests.accounts.factories import PASSWORD, member, sign_in, staff
from tests.accounts.mail.mailbox import emails_to, link_in
from tests.accounts.second_factor.factories import (
    RECOVERY_CODES,
    code_now,
    with_second_factor,
)
from tests.accounts.social import fake_sites
from tests.accounts.social.test_sites import dance, enter

pytestmark = pytest.mark.django_db
LOGIN, CODE = "/account/login/", "/account/login/code/"


@pytest.fixture
def anna():
    return with_second_factor(member("annika"))


def type_password(client, login="annika", **more):
    return client.post(LOGIN, {"login": login, "password": PASSWORD, **more})


def type_code(client, code):
    return client.post(CODE, {"code": code})


def is_in(client):
    return SESSION_KEY in client.session


def test_password_alone_opens_nothing(client, anna):
    assert type_password(client, next="/credits/")["Location"] == CODE
    assert not is_in(client)
    assert client.get("/credits/")["Location"].startswith(LOGIN)
    assert client.get(LOGIN)["Location"] == CODE


def test_right_code_signs_in_under_a_new_session_and_redirects_to_next(client, anna):
    type_password(client, next="/credits/")
    before = client.session.session_key
    assert type_code(client, code_now())["Location"] == "/credits/"
    assert is_in(client)
    assert client.session.session_key != before


def test_second_press_does_not_delete_the_new_sessions_cookie(client, anna, settings):
    name, second = settings.SESSION_COOKIE_NAME, Client()
    type_password(client)
    client.get(CODE)
    second.cookies[name] = client.session.session_key
    type_code(client, code_now())
    assert name not in type_code(second, code_now()).cookies
    assert is_in(client)


def test_members_without_a_second_factor_are_not_asked_for_a_code(client):
    member("boris5")
    assert type_password(client, "boris5")["Location"] == "/en/"
    assert is_in(client)


def test_wrong_code_is_answered_on_the_form(client, anna):
    type_password(client)
    response = type_code(client, "000000")
    assert response.status_code == 422
    assert "This code is wrong or has expired" in response.content.decode()
    assert not is_in(client)


def test_code_of_the_app_works_once(client, anna):
    code = code_now()
    type_password(client)
    type_code(client, code)
    other = Client()
    type_password(other)
    assert type_code(other, code).status_code == 422


def test_recovery_code_works_once_in_any_spelling(client, anna):
    type_password(client)
    assert type_code(client, "AAAAA bbbbb").status_code == 302
    other = Client()
    type_password(other)
    assert type_code(other, RECOVERY_CODES[0]).status_code == 422
    assert type_code(other, RECOVERY_CODES[1]).status_code == 302


def test_sixth_try_is_refused_from_everywhere_and_the_owner_warned_once(client, anna):
    type_password(client)
    answers = [type_code(client, "000000").status_code for _ in range(5)]
    assert answers == [422] * 5
    assert type_code(client, code_now()).status_code == 429
    for address in ("203.0.113.7", "198.51.100.9", "2001:db8::7"):
        other = Client(REMOTE_ADDR=address)
        type_password(other)
        assert type_code(other, code_now()).status_code == 429
    assert [each.subject for each in emails_to(anna.email)] == [
        "Too many wrong codes for your account"
    ]


def test_new_password_resets_the_tries_and_still_asks_for_the_code(client, anna):
    type_password(client)
    for _ in range(5):
        type_code(client, "000000")
    visitor = Client()
    visitor.post("/account/password/reset/", {"email": anna.email})
    link = link_in(emails_to(anna.email)[-1])
    page = visitor.get(link, follow=True).redirect_chain[-1][0]
    visitor.post(page, {"password1": "An0ther-oak-tree"})
    assert not is_in(visitor)
    visitor.post(LOGIN, {"login": "annika", "password": "An0ther-oak-tree"})
    assert not is_in(visitor)
    assert type_code(visitor, code_now()).status_code == 302


def test_sign_in_through_another_site_asks_for_the_code_too(client, settings, monkeypatch):
    with fake_sites.site_with_keys("google", settings, monkeypatch):
        with_second_factor(enter("google", "annika"))
        assert dance(client, "google")["Location"] == CODE
        assert not is_in(client)
        assert type_code(client, code_now()).status_code == 302
        assert is_in(client)


def test_known_device_is_asked_for_the_code_too(client, anna):
    type_password(client)
    type_code(client, code_now())
    client.post("/account/logout/", {"confirmed": "yes"})
    assert type_password(client)["Location"] == CODE


def test_password_typed_long_ago_is_asked_for_again(client, anna, time_machine):
    time_machine.move_to(timezone.now(), tick=False)
    type_password(client)
    time_machine.shift(timedelta(seconds=WAITS_S + 1))
    assert type_code(client, code_now())["Location"] == LOGIN
    assert not is_in(client)
    assert client.get(CODE)["Location"] == LOGIN


def test_new_password_ends_a_sign_in_that_waits_for_the_code(client, anna):
    type_password(client)
    anna.set_password("An0ther-oak-tree")
    anna.save()
    assert type_code(client, code_now())["Location"] == LOGIN
    assert not is_in(client)
    assert "The password was changed" in client.get(LOGIN).text


def test_sign_in_that_began_before_hashes_were_stored_counts_as_too_slow(client, anna):
    type_password(client)
    session = client.session
    del session["account_login"]["state"]["stages"]["second_factor"]["data"][HASH]
    session.save()
    assert type_code(client, code_now())["Location"] == LOGIN
    assert not is_in(client)
    assert "That took too long" in client.get(LOGIN).text


def test_changed_secret_key_does_not_end_a_sign_in_that_waits_for_the_code(client, anna, settings):
    settings.IDENTITY_KEYS = [settings.SECRET_KEY]
    type_password(client)
    old, settings.SECRET_KEY = settings.SECRET_KEY, "an entirely different secret key"
    settings.SECRET_KEY_FALLBACKS = [old]
    assert type_code(client, code_now()).status_code == 302
    assert is_in(client)


def test_second_step_can_be_canceled(client, anna):
    type_password(client)
    assert client.post(CODE, {"cancel": "1"})["Location"] == LOGIN
    assert client.get(LOGIN).status_code == 200


def test_no_code_is_accepted_after_the_second_factor_was_switched_off(client, anna):
    type_password(client)
    services.remove(anna.pk)
    assert type_code(client, code_now()).status_code == 422
    assert not is_in(client)


def test_admin_is_reached_through_both_steps(client):
    with_second_factor(staff("person1"))
    client.post(LOGIN, {"login": "person1", "password": PASSWORD, "next": "/admin/"})
    assert client.get("/admin/").status_code == 302
    assert type_code(client, code_now())["Location"] == "/admin/"
    assert client.get("/admin/").status_code == 200


def test_login_form_of_the_admin_does_not_sign_in_to_another_account(client):
    boss, clerk = with_second_factor(staff("boss555")), staff("clerk55")
    sign_in(client, clerk)
    data = {"username": "boss555", "password": PASSWORD, "next": "/admin/"}
    assert client.post("/admin/login/", data)["Location"] == "/admin/"
    assert client.session[SESSION_KEY] == str(clerk.pk) != str(boss.pk)


def test_database_holds_neither_secret_nor_codes(anna):
    stored = repr(list(Authenticator.objects.values()))
    assert not [code for code in RECOVERY_CODES if code in stored]
    assert not re.search(r"[A-Z2-7]{32}", stored)
