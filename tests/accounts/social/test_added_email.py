"""Add an email to an account without one, by following an emailed link."""

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.core import signing
from django.utils import timezone

from accounts.closing import services as closing
from accounts.models import OutgoingEmail, User
from accounts.social import added_email
from tests.accounts.factories import PASSWORD, member, sign_in, sign_in_now, unactivated
from tests.accounts.mail.mailbox import last_to, link_in

pytestmark = [pytest.mark.django_db, pytest.mark.portable]
ADD = "/account/email/add/"


def without_email(login):
    """Create a member with a password but no email."""
    user = member(login)
    EmailAddress.objects.filter(user=user).delete()
    User.objects.filter(pk=user.pk).update(email="")
    return User.objects.get(pk=user.pk)


@pytest.fixture
def anna(client):
    anna = without_email("annika")
    sign_in_now(client, anna)
    return anna


def test_link_adds_the_email_to_the_account(client, anna):
    page = client.post(ADD, {"email": "Annika@Example.org"}, follow=True)
    assert "We sent an email to annika@example.org" in page.content.decode()
    link = link_in(last_to("annika@example.org"))
    assert "annika@example.org" in client.get(link).content.decode()
    client.post(link)
    anna.refresh_from_db()
    address = EmailAddress.objects.get()
    assert (anna.email, address.email) == ("annika@example.org", "annika@example.org")
    assert address.verified
    assert address.primary


def test_link_works_in_a_browser_that_is_signed_out(client, anna):
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


def test_taken_email_gets_the_same_answer_and_no_confirmation_link(client, anna):
    member("boris1")
    taken = client.post(ADD, {"email": "boris1@example.org"})
    free = client.post(ADD, {"email": "free@example.org"})
    assert (taken.status_code, taken["Location"]) == (free.status_code, free["Location"])
    assert "/email/confirm/" not in last_to("boris1@example.org").text


def test_email_confirmed_by_another_account_meanwhile_stays_with_it(client, anna):
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


def test_link_followed_while_the_account_is_being_closed_stores_nothing(client, anna, monkeypatch):
    """Otherwise the mailbox would belong to a closed account for good."""
    client.post(ADD, {"email": "annika@example.org"})
    link, read = link_in(last_to("annika@example.org")), added_email.read

    def read_before_the_closing(token):
        found = read(token)
        closing.close(anna.pk, timezone.now())
        return found

    monkeypatch.setattr(added_email, "read", read_before_the_closing)
    assert client.post(link).status_code == 410
    assert not EmailAddress.objects.exists()


def test_expired_link_does_not_work(client, anna, monkeypatch):
    client.post(ADD, {"email": "annika@example.org"})
    link = link_in(last_to("annika@example.org"))
    monkeypatch.setattr(added_email, "LINK_LIVES_S", -1)
    assert client.post(link).status_code == 410


@pytest.mark.parametrize("email", ["", "annika", "a@b", "аннушка@example.org"])
def test_invalid_email_is_refused(client, anna, email):
    assert client.post(ADD, {"email": email}).status_code == 422
    assert not OutgoingEmail.objects.exists()


def test_fourth_email_to_a_mailbox_is_refused(client, anna):
    answers = [client.post(ADD, {"email": "a@example.org"}).status_code for _ in range(4)]
    assert answers == [302, 302, 302, 429]


def test_member_with_an_email_is_redirected(client):
    sign_in_now(client, member("boris1"))
    assert client.get(ADD)["Location"] == "/account/password/change/"
    client.post(ADD, {"email": "other@example.org"})
    assert not OutgoingEmail.objects.exists()


def test_visitor_is_redirected_to_sign_in(client):
    assert client.post(ADD, {"email": "a@example.org"})["Location"].startswith("/account/login/")


# --- Confirming the identity ---------------------------------------------------------------------

AGAIN = "/account/reauthenticate/"


@pytest.fixture
def stolen(client):
    """Return a browser signed in as a member without an email, long after the sign-in."""
    return sign_in(client, without_email("annika"))


@pytest.mark.parametrize("method", ["get", "post"])
def test_open_session_alone_does_not_add_an_email(stolen, method):
    answer = getattr(stolen, method)(ADD, {"email": "thief@example.org"})
    assert answer["Location"].startswith(f"{AGAIN}?next=")
    assert not OutgoingEmail.objects.exists()


def test_password_opens_the_form_again_with_the_typed_email(stolen):
    asked = stolen.post(ADD, {"email": "annika@example.org"})
    page = stolen.get(asked["Location"])
    assert 'autocomplete="current-password"' in page.content.decode()
    back = page.context["redirect_field_value"]
    answer = stolen.post(AGAIN, {"password": PASSWORD, "next": back})
    assert answer["Location"] == back
    assert 'value="annika@example.org"' in stolen.get(back).content.decode()
    stolen.post(ADD, {"email": "annika@example.org"})
    assert last_to("annika@example.org")


def test_wrong_password_does_not_open_the_form(stolen):
    answer = stolen.post(AGAIN, {"password": "Wrong1234", "next": ADD})
    assert answer.status_code == 422
    assert "This is not your password." in answer.content.decode()
    assert stolen.get(ADD)["Location"].startswith(AGAIN)


def test_confirmation_holds_for_five_minutes(stolen):
    with time_machine.travel(timezone.now(), tick=False) as clock:
        stolen.post(AGAIN, {"password": PASSWORD, "next": ADD})
        clock.shift(299)
        assert stolen.get(ADD).status_code == 200
        clock.shift(2)
        assert stolen.get(ADD).status_code == 302


def test_guessing_the_password_in_an_open_session_is_limited(stolen):
    asked = {"password": "Wrong1234", "next": ADD}
    answers = [stolen.post(AGAIN, asked).status_code for _ in range(11)]
    assert answers == [422] * 10 + [429]


@pytest.mark.parametrize("foreign", ["https://evil.example/", "//evil.example/", "/\\evil.example"])
def test_confirmation_leads_to_this_site_only(stolen, foreign):
    answer = stolen.post(AGAIN, {"password": PASSWORD, "next": foreign})
    assert answer["Location"] == "/profile/"


def test_account_without_any_way_to_confirm_is_asked_to_sign_in_again(stolen):
    anna = User.objects.get(username="annika")
    anna.set_unusable_password()
    anna.save()
    sign_in(stolen, anna)
    assert "sign in again" in stolen.get(AGAIN).content.decode()
    assert stolen.post(AGAIN, {"password": ""}).status_code == 200
    assert stolen.get(ADD).status_code == 302
