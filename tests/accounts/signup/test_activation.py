"""Activation: the link, a repeated email, a changed address, expiry; and the ban of a member."""

from datetime import timedelta

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.contrib.auth import SESSION_KEY
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.members import services as members
from accounts.models import User
from accounts.signals import member_activated
from accounts.signup import services as signup
from tests.accounts.factories import PASSWORD, member, sign_in, unactivated
from tests.accounts.mail.mailbox import emails_to, last_to
from tests.accounts.signup.signing_up import (
    CHANGE,
    EMAIL,
    RESEND,
    SENT,
    link_to,
    registered,
    sign_up,
)
from wallet.selectors import funds_of

pytestmark = pytest.mark.django_db

LOGIN = reverse("account_login")


@pytest.fixture(autouse=True)
def _frozen_time():
    """Freeze time, since delays and the age of links depend on it."""
    with time_machine.travel(timezone.now(), tick=False):
        yield


def later(**delta):
    return time_machine.travel(timezone.now() + timedelta(**delta), tick=False)


# --- From sign-up to sign-in ---------------------------------------------------------------------


@pytest.mark.parametrize("language", ["ru", "en", "tr"])
def test_sign_up_activation_sign_out_and_sign_in_work_in_sequence(client, language):
    client.post(reverse("set_language"), {"language": language, "next": "/"})
    user = registered(client)
    assert user.preferences.language == language
    assert f'<html lang="{language}"' in client.get(SENT).content.decode()
    email = last_to(EMAIL)
    assert email.language == language
    assert "Boris7" in email.text

    assert client.get(link_to()).status_code == 200
    assert client.post(link_to()).status_code == 302
    assert client.session[SESSION_KEY] == str(user.pk)

    client.post(reverse("account_logout"))
    for typed in ("bORIS7", "Boris@Example.ORG"):
        fresh = Client()
        fresh.post(LOGIN, {"login": typed, "password": PASSWORD})
        assert fresh.session[SESSION_KEY] == str(user.pk)


def test_activation_sets_email_and_welcome_credits_once(client, settings):
    settings.WELCOME_CREDITS = 700  # paid in parts, the first at once
    user = registered(client)
    assert funds_of(user.pk).available == 0
    client.post(link_to())
    user.refresh_from_db()
    assert user.is_member
    assert user.email == EMAIL
    assert EmailAddress.objects.get(user=user).verified
    assert funds_of(user.pk).available == 100
    client.post(link_to())
    assert funds_of(user.pk).available == 100


def test_member_activated_is_sent_once():
    activated = []
    listen = lambda user_id, **_: activated.append(user_id)  # noqa: E731
    member_activated.connect(listen)
    try:
        user = unactivated("boris7")
        assert members.activate(user.pk, timezone.now())
        assert not members.activate(user.pk, timezone.now())
    finally:
        member_activated.disconnect(listen)
    assert activated == [user.pk]


def test_failed_activation_changes_nothing(client, monkeypatch):
    user = registered(client)
    monkeypatch.setattr(members, "activate", lambda *args: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        client.post(link_to())
    user.refresh_from_db()
    assert (user.email, user.activated_at) == ("", None)
    assert not EmailAddress.objects.get(user=user).verified


# --- The link ------------------------------------------------------------------------------------


def test_get_of_the_link_does_not_activate(client):
    """Email programs and scanners follow links by themselves."""
    user = registered(client)
    for _ in range(2):
        assert client.get(link_to()).status_code == 200
        assert client.head(link_to()).status_code == 200
    user.refresh_from_db()
    assert user.activated_at is None


def test_link_page_shows_the_login(client):
    registered(client)
    assert "<b>Boris7</b>" in Client().get(link_to()).content.decode()


def test_link_activates_on_another_device_without_signing_in(client):
    user = registered(client)
    phone = Client()
    assert phone.post(link_to())["Location"] == LOGIN
    assert SESSION_KEY not in phone.session
    user.refresh_from_db()
    assert user.is_member
    page = phone.get(LOGIN).content.decode()
    assert "Your account is active." in page


def test_link_leads_back_to_the_page_where_the_visitor_signed_up(client):
    sign_up(client, next="/shop/")
    assert client.post(link_to())["Location"] == "/shop/"


def test_link_in_another_members_browser_keeps_them_signed_in(client):
    registered(client)
    annika = member("annika")
    other = sign_in(Client(), annika)
    other.get(link_to())
    other.post(link_to())
    assert other.session[SESSION_KEY] == str(annika.pk)
    assert User.objects.get(username="Boris7").is_member


def test_link_works_once(client):
    registered(client)
    link = link_to()
    client.post(link)
    client.post(reverse("account_logout"))
    for response in (client.get(link), client.post(link), Client().post(link)):
        assert response.status_code == 410
        assert "This account is active" in response.content.decode()
    assert SESSION_KEY not in client.session


def test_link_expires_after_three_days(client):
    registered(client)
    with later(days=3, minutes=-1):
        assert client.get(link_to()).status_code == 200
    with later(days=3, minutes=1):
        for response in (client.get(link_to()), client.post(link_to())):
            assert response.status_code == 410
            assert "It is older than three days." in response.content.decode()
    assert not User.objects.get(username="Boris7").is_member


def test_expired_link_offers_a_new_one_on_any_device(client):
    registered(client)
    old = link_to()
    with later(days=4):
        phone = Client()
        key = old.rstrip("/").rsplit("/", 1)[1]
        assert f'name="key" value="{key}"' in phone.get(old).content.decode()
        assert phone.post(RESEND, {"key": key})["Location"] == SENT
        assert len(emails_to(EMAIL)) == 2
        assert EMAIL in phone.get(SENT).content.decode(), (
            "the link proves that the visitor knows the address"
        )
        assert "data-countdown" not in phone.get(SENT).content.decode(), (
            "the address cannot be changed here"
        )
        assert link_to() != old
        assert phone.post(link_to())["Location"] == LOGIN
    assert User.objects.get(username="Boris7").is_member


@pytest.mark.parametrize("key", ["MQ:1xUjvh:forged", "nonsense", "a-b:c", "MQ"])
def test_forged_link_is_dead(client, key):
    registered(client)
    response = client.post(reverse("account_confirm_email", args=[key]))
    assert response.status_code == 410
    assert "This link no longer works" in response.content.decode()
    assert client.post(RESEND, {"key": key})["Location"] == SENT
    assert len(emails_to(EMAIL)) == 1


def test_registration_whose_link_is_followed_first_gets_the_email(client):
    registered(Client(), "Stranger")
    strangers_link = link_to()
    registered(client, "Boris7")
    client.post(link_to())
    assert User.objects.get(username="Boris7").email == EMAIL
    response = client.post(strangers_link)
    assert response.status_code == 410
    assert "belongs to another account" in response.content.decode()
    stranger = User.objects.get(username="Stranger")
    assert (stranger.email, stranger.activated_at) == ("", None)


def test_earlier_registration_does_not_block_a_mailbox(client):
    """The attacker registers before and after the owner, and changes the registration's email."""
    attacker = Client()
    registered(attacker, "Stranger")
    attacker.post(CHANGE, {"email": "elsewhere@example.org"})
    attacker.post(CHANGE, {"email": EMAIL})
    user = registered(client, "Boris7")
    link = link_to()
    registered(Client(), "Stranger2")
    assert client.post(link).status_code == 302
    user.refresh_from_db()
    assert user.is_member


# --- Before activation ---------------------------------------------------------------------------


def test_sign_in_before_activation_shows_the_verification_page(client):
    registered(Client())
    for typed in ("Boris7", EMAIL):
        response = client.post(LOGIN, {"login": typed, "password": PASSWORD})
        assert response["Location"] == SENT
        assert SESSION_KEY not in client.session
        assert EMAIL in client.get(SENT).content.decode()
    assert len(emails_to(EMAIL)) == 1, "no second email without a request"


def test_unactivated_account_has_the_rights_of_a_guest(client):
    registered(client)
    assert client.get(reverse("games:training")).status_code == 200
    response = client.get(reverse("people:profile"))
    assert response.status_code == 302
    assert response["Location"].startswith(LOGIN)


def test_delay_between_emails_doubles(client):
    """The delays are 1, 2, 4, 8 minutes, by the server's time."""
    with later(days=0) as clock:
        registered(client)
        for email_count, minutes in enumerate((1, 2, 4, 8), start=1):
            clock.shift(timedelta(minutes=minutes, seconds=-1))
            client.post(RESEND)
            assert len(emails_to(EMAIL)) == email_count
            assert "in 1 second." in client.get(SENT).content.decode()
            clock.shift(timedelta(seconds=1))
            client.post(RESEND)
            assert len(emails_to(EMAIL)) == email_count + 1


def test_page_shows_the_remaining_delay(client):
    registered(client)
    with later(seconds=15):
        page = client.get(SENT).content.decode()
    assert 'data-countdown="45"' in page
    assert "data-countdown-text>0:45" in page
    with later(seconds=61):
        assert "data-countdown" not in client.get(SENT).content.decode()


def test_delay_belongs_to_the_registration_not_the_browser(client):
    registered(Client())
    client.post(LOGIN, {"login": "Boris7", "password": PASSWORD})
    client.post(RESEND)
    assert len(emails_to(EMAIL)) == 1


def test_link_of_every_email_works(client):
    registered(client)
    first = link_to()
    with later(minutes=2):
        client.post(RESEND)
    assert len(emails_to(EMAIL)) == 2
    assert client.post(first).status_code == 302
    assert User.objects.get(username="Boris7").is_member


def test_resending_has_a_limit_for_each_network_address(client, settings):
    settings.ACCOUNT_RATE_LIMITS = {"resend": "1/h/ip"}
    assert client.post(RESEND).status_code == 302
    assert client.post(RESEND).status_code == 429


@pytest.mark.parametrize("address", [RESEND, CHANGE])
def test_resend_and_change_of_address_require_post(client, address):
    assert client.get(address).status_code == 405


# --- Another address -----------------------------------------------------------------------------


def test_changed_address_gets_an_email_and_the_old_link_is_dead(client):
    user = registered(client, email="tpyo@example.org")
    old = link_to("tpyo@example.org")
    assert client.post(CHANGE, {"email": "Right@Example.org"})["Location"] == SENT
    assert "right@example.org" in client.get(SENT).content.decode()
    assert Client().post(old).status_code == 410
    user.refresh_from_db()
    assert user.activated_at is None
    client.post(link_to("right@example.org"))
    user.refresh_from_db()
    assert (user.email, user.is_member) == ("right@example.org", True)


def test_changed_address_must_be_valid(client):
    registered(client)
    response = client.post(CHANGE, {"email": "anna@"})
    assert response.status_code == 422
    page = response.content.decode()
    assert "A full address, such as name@example.org." in page
    assert '<details class="other-address" open>' in page
    assert EmailAddress.objects.get().email == EMAIL


def test_unchanged_address_sends_no_email(client):
    registered(client)
    assert client.post(CHANGE, {"email": EMAIL.upper()})["Location"] == SENT
    assert len(emails_to(EMAIL)) == 1


def test_address_changes_are_limited(client):
    registered(client)
    for number in range(signup.MAX_CHANGES):
        assert client.post(CHANGE, {"email": f"b{number}@example.org"}).status_code == 302
    response = client.post(CHANGE, {"email": "last@example.org"})
    assert response.status_code == 422
    # Another login, since this registration keeps its own.
    assert "Please sign up again with another login." in response.content.decode()
    assert not emails_to("last@example.org")


def test_active_account_cannot_change_its_address_by_the_form_for_unverified_ones(client):
    user = registered(client)
    Client().post(link_to())  # on another device
    assert client.post(CHANGE, {"email": "elsewhere@example.org"})["Location"] == SENT
    assert client.post(RESEND)["Location"] == SENT
    user.refresh_from_db()
    assert user.email == EMAIL
    assert not emails_to("elsewhere@example.org")
    assert len(emails_to(EMAIL)) == 1


# --- Expiry --------------------------------------------------------------------------------------


def test_old_registrations_are_deleted(client, capsys):
    registered(client)
    with later(days=29):
        call_command("forgetunactivated")
        assert User.objects.filter(username="Boris7").exists()
    with later(days=31):
        call_command("forgetunactivated", days=30)
        assert not User.objects.filter(username="Boris7").exists()
        assert client.get(SENT).status_code == 200
        assert client.get(link_to()).status_code == 410
    assert "1 registrations forgotten" in capsys.readouterr().out
    assert sign_up(Client()).status_code == 302


def test_members_staff_and_users_without_an_address_are_not_deleted():
    annika = member("annika")
    clerk = unactivated("clerk1")
    User.objects.filter(pk=clerk.pk).update(is_staff=True)
    bare = User.objects.create_user("bare12")
    with later(days=1000):
        call_command("forgetunactivated")
    assert User.objects.filter(pk__in=[annika.pk, clerk.pk, bare.pk]).count() == 3


def test_registrations_are_not_deleted_before_their_links_expire(client):
    registered(client)
    with later(days=3, minutes=-1):
        with pytest.raises(CommandError):
            call_command("forgetunactivated", days=2)
        call_command("forgetunactivated", days=3)
        assert client.post(link_to()).status_code == 302
    assert User.objects.get(username="Boris7").is_member


# --- Ban -----------------------------------------------------------------------------------------


def test_ban_signs_out_everywhere_and_can_be_undone(client):
    annika = member("annika")
    client.post(LOGIN, {"login": "annika", "password": PASSWORD})
    client.get(reverse("games:training"))
    assert members.ban(annika.pk)
    assert not members.ban(annika.pk)
    assert client.get(reverse("games:training")).wsgi_request.user.is_anonymous
    assert client.post(LOGIN, {"login": "annika", "password": PASSWORD}).status_code == 302
    assert SESSION_KEY not in client.session
    assert members.unban(annika.pk)
    assert not members.unban(annika.pk)
    client.post(LOGIN, {"login": "annika", "password": PASSWORD})
    assert client.session[SESSION_KEY] == str(annika.pk)
