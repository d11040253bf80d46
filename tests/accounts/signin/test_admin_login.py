"""The admin uses the site's sign-in form and its limits."""

import pytest
from django.contrib import admin
from django.contrib.auth import SESSION_KEY
from django.core.management import call_command
from django.utils import timezone

from config.demo import people
from tests.accounts.factories import PASSWORD, member, sign_in, staff
from tests.accounts.mail.mailbox import emails_to, link_in
from tests.accounts.signup.signing_up import SENT

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
ADMIN = "/admin/"
LOGIN = "/account/login/"
CHANGE = "/admin/password_change/"


def enter(client, login, password=PASSWORD):
    return client.post(LOGIN, {"login": login, "password": password, "next": ADMIN})


def test_staff_sign_in_by_the_sites_form_and_return_to_the_admin(client):
    staff("person1")
    response = client.get(ADMIN, follow=True)
    assert response.redirect_chain[-1][0] == "/account/login/?next=%2Fadmin%2F"
    assert enter(client, "person1")["Location"] == ADMIN
    assert client.get(ADMIN).status_code == 200


def test_sixth_attempt_is_refused_even_with_the_right_password(client):
    staff("person1")
    answers = [enter(client, "person1", "Wrong1234").status_code for _ in range(5)]
    assert answers == [422] * 5
    assert enter(client, "person1").status_code == 429
    assert SESSION_KEY not in client.session


def test_login_form_of_the_admin_redirects_to_the_sites_form(client):
    staff("person1")
    data = {"username": "person1", "password": PASSWORD, "next": ADMIN}
    response = client.post("/admin/login/", data)
    assert response["Location"].startswith(LOGIN)
    assert SESSION_KEY not in client.session


def test_member_is_refused_and_not_asked_again(client):
    sign_in(client, member("annika"))
    assert client.get(ADMIN, follow=True).status_code == 403


def test_banned_staff_are_signed_out_at_once(client):
    user = staff("person1")
    sign_in(client, user)
    user.is_active = False
    user.save()
    assert client.get(ADMIN).status_code == 302


def test_staff_of_the_demonstration_signs_in_on_the_site_and_in_the_admin(client):
    people.make(timezone.now())
    people.make(timezone.now())
    assert enter(client, people.STAFF_LOGIN, people.PASSWORD)["Location"] == ADMIN
    assert client.get(ADMIN).status_code == 200


def test_first_sign_in_of_a_createsuperuser_account_sends_the_activation_link(client):
    """Such a user never signed up, so no email was sent before."""
    made = {"username": "person1", "email": "person1@example.org", "interactive": False}
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("DJANGO_SUPERUSER_PASSWORD", PASSWORD)
        call_command("createsuperuser", verbosity=0, **made)
    for _ in range(2):
        assert enter(client, "person1")["Location"] == SENT
    (email,) = emails_to("person1@example.org")
    assert client.post(link_in(email))["Location"] == ADMIN
    assert client.get(ADMIN).status_code == 200


def test_password_page_of_the_admin_redirects_to_that_of_the_site(client):
    user = staff("person1")
    sign_in(client, user)
    new = {"old_password": PASSWORD, "new_password1": "Other7word", "new_password2": "Other7word"}
    for answer in (client.get(CHANGE), client.post(CHANGE, new)):
        assert answer["Location"] == "/account/password/change/"
    user.refresh_from_db()
    assert user.check_password(PASSWORD)


def test_allauths_admin_pages_are_removed():
    shown = {model._meta.label for model in admin.site._registry}
    hidden = {
        "account.EmailAddress",
        "socialaccount.SocialApp",
        "socialaccount.SocialToken",
        "socialaccount.SocialAccount",
        "usersessions.UserSession",
    }
    assert not shown & hidden
