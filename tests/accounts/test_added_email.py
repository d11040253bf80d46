"""An email for an account that came without one: it is his who follows the letter's link."""

import pytest
from allauth.account.models import EmailAddress
from django.core import signing

from accounts.models import Letter, User
from accounts.services import addresses
from tests.accounts.factories import member, sign_in, unactivated
from tests.accounts.mailbox import last_to, link_in

pytestmark = pytest.mark.django_db
ADD = "/account/email/add/"


def without_email(login):
    """As somebody comes through Facebook."""
    user = member(login)
    EmailAddress.objects.filter(user=user).delete()
    User.objects.filter(pk=user.pk).update(email="")
    return User.objects.get(pk=user.pk)


@pytest.fixture
def anna(client):
    anna = without_email("annika")
    sign_in(client, anna)
    return anna


def test_link_of_the_letter_makes_the_email_ones_own(client, anna):
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


def test_opening_the_link_does_nothing_yet(client, anna):
    client.post(ADD, {"email": "annika@example.org"})
    client.get(link_in(last_to("annika@example.org")))
    assert not EmailAddress.objects.exists()


def test_link_works_once(client, anna):
    client.post(ADD, {"email": "annika@example.org"})
    link = link_in(last_to("annika@example.org"))
    client.post(link)
    assert client.post(link).status_code == 410
    assert client.get(link).status_code == 410


def test_only_the_first_of_two_emails_is_taken(client, anna):
    for email in ("annika@example.org", "second@example.org"):
        client.post(ADD, {"email": email})
    client.post(link_in(last_to("annika@example.org")))
    assert client.post(link_in(last_to("second@example.org"))).status_code == 410


def test_answer_for_a_taken_email_is_the_same_and_its_owner_is_told(client, anna):
    member("boris1")
    taken = client.post(ADD, {"email": "boris1@example.org"})
    free = client.post(ADD, {"email": "free@example.org"})
    assert (taken.status_code, taken["Location"]) == (free.status_code, free["Location"])
    assert "/email/confirm/" not in last_to("boris1@example.org").text


def test_email_that_somebody_else_got_in_the_meantime_is_not_taken_from_him(client, anna):
    client.post(ADD, {"email": "boris1@example.org"})
    boris = member("boris1")
    assert client.post(link_in(last_to("boris1@example.org"))).status_code == 410
    assert EmailAddress.objects.get().user == boris


def test_registration_that_was_never_activated_keeps_no_email_from_its_owner(client, anna):
    unactivated("boris1")
    client.post(ADD, {"email": "boris1@example.org"})
    assert client.post(link_in(last_to("boris1@example.org"))).status_code == 302
    anna.refresh_from_db()
    assert anna.email == "boris1@example.org"


@pytest.mark.parametrize("link", ["x", "x:y:z", "a" * 500])
def test_made_up_link_does_not_work(client, anna, link):
    assert client.post(f"/account/email/confirm/{link}/").status_code == 410


def test_signature_for_something_else_is_no_link(client, anna):
    token = signing.dumps([anna.pk, "annika@example.org"], salt="another purpose")
    assert client.post(f"/account/email/confirm/{token}/").status_code == 410


def test_link_of_a_barred_account_does_not_work(client, anna):
    client.post(ADD, {"email": "annika@example.org"})
    User.objects.filter(pk=anna.pk).update(is_active=False)
    assert client.post(link_in(last_to("annika@example.org"))).status_code == 410


def test_link_lives_for_three_days(client, anna, monkeypatch):
    client.post(ADD, {"email": "annika@example.org"})
    link = link_in(last_to("annika@example.org"))
    monkeypatch.setattr(addresses, "LINK_LIVES_S", -1)
    assert client.post(link).status_code == 410


@pytest.mark.parametrize("email", ["", "annika", "a@b", "аннушка@example.org"])
def test_what_is_no_email_is_said_so(client, anna, email):
    assert client.post(ADD, {"email": email}).status_code == 422
    assert not Letter.objects.exists()


def test_after_three_letters_to_one_mailbox_one_waits(client, anna):
    answers = [client.post(ADD, {"email": "a@example.org"}).status_code for _ in range(4)]
    assert answers == [302, 302, 302, 429]


def test_member_with_an_email_is_not_asked_for_another(client):
    sign_in(client, member("boris1"))
    assert client.get(ADD)["Location"] == "/account/password/change/"
    client.post(ADD, {"email": "other@example.org"})
    assert not Letter.objects.exists()


def test_visitor_is_sent_to_sign_in(client):
    assert client.post(ADD, {"email": "a@example.org"})["Location"].startswith("/account/login/")
