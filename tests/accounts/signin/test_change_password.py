"""Change the password from the profile by a link emailed to the member."""

import pytest
from allauth.account.models import EmailAddress

from accounts.models import OutgoingEmail, User
from tests.accounts.factories import member, sign_in
from tests.accounts.mail.mailbox import last_to, link_in

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
CHANGE = "/account/password/change/"


@pytest.fixture
def anna(client):
    anna = member("annika")
    sign_in(client, anna)
    return anna


def test_the_emailed_link_changes_the_password(client, anna):
    response = client.post(CHANGE, follow=True)
    assert "We sent an email to annika@example.org" in response.content.decode()
    link = link_in(last_to("annika@example.org"))
    page = client.get(link, follow=True)
    client.post(page.request["PATH_INFO"], {"password1": "Other7passphrase"})
    assert User.objects.get(pk=anna.pk).check_password("Other7passphrase")


def test_opening_the_page_sends_nothing(client, anna):
    assert client.get(CHANGE).status_code == 200
    assert not OutgoingEmail.objects.exists()


def test_posted_password_is_ignored(client, anna):
    client.post(CHANGE, {"password1": "Other7passphrase", "oldpassword": "Gammon5stars"})
    assert not User.objects.get(pk=anna.pk).check_password("Other7passphrase")


def test_posted_email_is_ignored(client, anna):
    client.post(CHANGE, {"email": "thief@example.org"})
    assert [email.to for email in OutgoingEmail.objects.all()] == ["annika@example.org"]


def test_fourth_email_is_refused(client, anna):
    assert [client.post(CHANGE).status_code for _ in range(4)] == [302, 302, 302, 429]
    assert OutgoingEmail.objects.count() == 3


def test_member_without_an_email_is_asked_to_add_one(client, anna):
    EmailAddress.objects.all().delete()
    response = client.post(CHANGE)
    assert "/account/email/add/" in response.content.decode()
    assert not OutgoingEmail.objects.exists()


def test_visitor_is_redirected_to_sign_in(client, db):
    client.logout()
    assert client.post(CHANGE)["Location"].startswith("/account/login/?next=")
