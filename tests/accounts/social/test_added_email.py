"""Add an email to an account without one, by following an emailed link."""

import pytest
from allauth.account.models import EmailAddress
from django.core import signing

from accounts.models import Letter, User
from accounts.social import added_email
from tests.accounts.factories import member, sign_in, unactivated
from tests.accounts.mail.mailbox import last_to, link_in

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
ADD = "/account/email/add/"


def without_email(login):
    """Create an account as Facebook sign-in makes it."""
    user = member(login)
    EmailAddress.objects.filter(user=user).delete()
    User.objects.filter(pk=user.pk).update(email="")
    return User.objects.get(pk=user.pk)


@pytest.fixture
def anna(client):
    anna = without_email("annika")
    sign_in(client, anna)
    return anna


def test_link_adds_the_email_to_the_account(client, anna):
    page = client.post(ADD, {"email": "Annika@Example.org"}, follow=True)
    assert "on its way to annika@example.org" in page.content.decode()
    link = link_in(last_to("annika@example.org"))
    assert "annika@example.org" in client.get(link).content.decode()
    client.post(link)
    anna.refresh_from_db()
    address = EmailAddress.objects.get()
    assert (anna.email, address.email) == ("annika@example.org", "annika@example.org")
    assert address.verified
    assert address.primary


def test_link_works_without_being_signed_in_there(client, anna):
    client.post(ADD, {"email": "annika@example.org"})
    client.logout()
    link = link_in(last_to("annika@example.org"))
    assert client.post(link).status_code == 302
    assert EmailAddress.objects.filter(user=anna, verified=True).exists()


def test_get_of_the_link_adds_nothing(client, anna):
    client.post(ADD, {"email": "annika@example.org"})
    client.get(link_in(last_to("annika@example.org")))
    assert not EmailAddress.objects.exists()


def test_link_works_once(client, anna):
    client.post(ADD, {"email": "annika@example.org"})
    link = link_in(last_to("annika@example.org"))
    client.post(link)
    assert client.post(link).status_code == 410
    assert client.get(link).status_code == 410


def test_second_link_for_another_email_is_dead(client, anna):
    for email in ("annika@example.org", "second@example.org"):
        client.post(ADD, {"email": email})
    client.post(link_in(last_to("annika@example.org")))
    assert client.post(link_in(last_to("second@example.org"))).status_code == 410


def test_taken_email_gets_the_same_answer_and_a_notice(client, anna):
    member("boris1")
    taken = client.post(ADD, {"email": "boris1@example.org"})
    free = client.post(ADD, {"email": "free@example.org"})
    assert (taken.status_code, taken["Location"]) == (free.status_code, free["Location"])
    assert "/email/confirm/" not in last_to("boris1@example.org").text


def test_email_confirmed_elsewhere_meanwhile_stays_there(client, anna):
    client.post(ADD, {"email": "boris1@example.org"})
    boris = member("boris1")
    assert client.post(link_in(last_to("boris1@example.org"))).status_code == 410
    assert EmailAddress.objects.get().user == boris


def test_unactivated_registration_does_not_block_an_email(client, anna):
    unactivated("boris1")
    client.post(ADD, {"email": "boris1@example.org"})
    assert client.post(link_in(last_to("boris1@example.org"))).status_code == 302
    anna.refresh_from_db()
    assert anna.email == "boris1@example.org"


@pytest.mark.parametrize("link", ["x", "x:y:z", "a" * 500])
def test_made_up_link_does_not_work(client, anna, link):
    assert client.post(f"/account/email/confirm/{link}/").status_code == 410


def test_signature_with_another_salt_is_refused(client, anna):
    token = signing.dumps([anna.pk, "annika@example.org"], salt="another purpose")
    assert client.post(f"/account/email/confirm/{token}/").status_code == 410


def test_link_of_a_banned_account_does_not_work(client, anna):
    client.post(ADD, {"email": "annika@example.org"})
    User.objects.filter(pk=anna.pk).update(is_active=False)
    assert client.post(link_in(last_to("annika@example.org"))).status_code == 410


def test_link_works_for_three_days(client, anna, monkeypatch):
    client.post(ADD, {"email": "annika@example.org"})
    link = link_in(last_to("annika@example.org"))
    monkeypatch.setattr(added_email, "LINK_LIVES_S", -1)
    assert client.post(link).status_code == 410


@pytest.mark.parametrize("email", ["", "annika", "a@b", "аннушка@example.org"])
def test_invalid_email_is_refused(client, anna, email):
    assert client.post(ADD, {"email": email}).status_code == 422
    assert not Letter.objects.exists()


def test_fourth_email_to_a_mailbox_is_refused(client, anna):
    answers = [client.post(ADD, {"email": "a@example.org"}).status_code for _ in range(4)]
    assert answers == [302, 302, 302, 429]


def test_member_with_an_email_is_redirected(client):
    sign_in(client, member("boris1"))
    assert client.get(ADD)["Location"] == "/account/password/change/"
    client.post(ADD, {"email": "other@example.org"})
    assert not Letter.objects.exists()


def test_visitor_is_redirected_to_sign_in(client):
    assert client.post(ADD, {"email": "a@example.org"})["Location"].startswith("/account/login/")
