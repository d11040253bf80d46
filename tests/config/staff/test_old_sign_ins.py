"""The administration asks staff whose sign-in is old to confirm who they are."""

import time

import pytest
from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY
from django.contrib.auth import SESSION_KEY

from config.staff.site import FORM_TIME_S
from tests.accounts.factories import PASSWORD, member, sign_in_now, staff

pytestmark = pytest.mark.django_db

AGAIN = "/account/reauthenticate/"
USERS = "/admin/accounts/user/"
LIMIT_S = 12 * 3600


@pytest.fixture(autouse=True)
def _twelve_hours(settings):
    settings.STAFF_SIGN_IN_HOURS = 12


@pytest.fixture
def set_sign_in_age(client):
    """Return a function that makes the session's sign-in some seconds old."""

    def set_sign_in_age(seconds):
        session = client.session
        (record,) = session[AUTHENTICATION_METHODS_SESSION_KEY]
        record["at"] = time.time() - seconds
        session.save()

    return set_sign_in_age


def test_staff_with_an_old_sign_in_confirm_who_they_are(client, set_sign_in_age):
    sign_in_now(client, staff("person1"))
    set_sign_in_age(LIMIT_S - 60)
    assert client.get(USERS).status_code == 200
    set_sign_in_age(LIMIT_S + 60)
    answer = client.get(f"{USERS}?q=anna")
    assert answer["Location"] == f"{AGAIN}?next=%2Fadmin%2Faccounts%2Fuser%2F%3Fq%3Danna"
    answer = client.post(AGAIN, {"password": PASSWORD, "next": USERS})
    assert answer["Location"] == USERS
    assert client.get(USERS).status_code == 200


def test_a_form_that_was_opened_in_time_may_be_sent(client, set_sign_in_age):
    sign_in_now(client, staff("person1"))
    form = {"action": "none"}
    set_sign_in_age(LIMIT_S + FORM_TIME_S - 60)
    assert client.post(USERS, form).status_code == 200
    set_sign_in_age(LIMIT_S + FORM_TIME_S + 60)
    assert client.post(USERS, form)["Location"] == f"{AGAIN}?next=%2Fadmin%2F"


def test_staff_with_an_old_sign_in_can_sign_out(client, set_sign_in_age):
    sign_in_now(client, staff("person1"))
    set_sign_in_age(LIMIT_S + FORM_TIME_S + 60)
    client.post("/admin/logout/")
    assert SESSION_KEY not in client.session


def test_choices_of_an_open_form_are_found_as_long_as_it_may_be_sent(client, set_sign_in_age):
    sign_in_now(client, staff("person1"))
    fields = {"app_label": "chat", "model_name": "ticket", "field_name": "user", "term": "an"}
    set_sign_in_age(LIMIT_S + FORM_TIME_S - 60)
    assert "results" in client.get("/admin/autocomplete/", fields).json()
    set_sign_in_age(LIMIT_S + FORM_TIME_S + 60)
    assert client.get("/admin/autocomplete/", fields).status_code == 302


def test_members_without_rights_are_refused_and_not_asked(client, set_sign_in_age):
    sign_in_now(client, member("annika"))
    set_sign_in_age(LIMIT_S + 60)
    assert client.get(USERS, follow=True).status_code == 403


def test_staff_are_never_asked_if_the_setting_is_zero(client, set_sign_in_age, settings):
    settings.STAFF_SIGN_IN_HOURS = 0
    sign_in_now(client, staff("person1"))
    set_sign_in_age(100 * LIMIT_S)
    assert client.get(USERS).status_code == 200
