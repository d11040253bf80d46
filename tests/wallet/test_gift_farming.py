"""Attempts to get the welcome credits again, with sign-ups over HTTP; none succeeds."""

import pytest
from django.conf import settings as site
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.closing import services as closing
from accounts.members import services as members
from accounts.models import User
from tests.accounts.factories import member, sign_in_now
from tests.accounts.mail.mailbox import last_to, link_in
from tests.accounts.signup.signing_up import link_to, registered
from tests.accounts.social.facebook_dance import CONNECTIONS, choose, dance
from tests.accounts.social.fake_facebook import facebook_with_keys
from wallet.selectors import funds_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _stored_emails(settings):
    settings.EMAIL_BACKEND = "accounts.mail.backend.StoringBackend"


@pytest.fixture
def facebook(settings, monkeypatch):
    with facebook_with_keys(settings, monkeypatch) as fake:
        yield fake


def sign_up(login: str, email: str) -> User:
    """Sign up and follow the emailed link, in a new browser."""
    browser = Client()
    user = registered(browser, login, email)
    browser.post(link_to(email.lower()))
    user.refresh_from_db()
    assert user.is_member
    return user


def sign_up_through_facebook(login: str) -> User:
    browser = Client()
    dance(browser)
    choose(browser, login)
    return User.objects.get(username=login)


def close_account(user: User) -> None:
    closing.close(user.pk, timezone.now())


def credits_of(user: User) -> int:
    return funds_of(user.pk).total


# --- Mailboxes -----------------------------------------------------------------------------------


def test_closing_and_signing_up_again_brings_no_more_welcome_credits():
    first = sign_up("first77", "boris@example.org")
    assert credits_of(first) > 0
    close_account(first)
    assert credits_of(sign_up("second77", "boris@example.org")) == 0


@pytest.mark.parametrize(
    ("one", "same"),
    [
        ("boris@example.org", "boris+2@example.org"),
        ("boris+1@example.org", "BORIS+2@Example.ORG"),
        ("boris.petrov@gmail.com", "b.o.r.i.s.petrov@gmail.com"),
        ("boris@gmail.com", "boris@googlemail.com"),
        ("boris.petrov@yandex.ru", "boris-petrov@ya.ru"),
        ("boris.petrov@proton.me", "borispetrov@protonmail.com"),
        ("boris@icloud.com", "boris@me.com"),
        ("boris-shop@yahoo.com", "boris-games@yahoo.com"),
        ("boris-shop@ymail.com", "boris@ymail.com"),
        ("boris@example.org", '"boris"@example.org'),
        ('"b\\oris"@example.org', r'"\bo\ris+2"@example.org'),
    ],
)
def test_another_spelling_of_one_mailbox_brings_no_more_welcome_credits(one, same):
    assert credits_of(sign_up("first77", one)) > 0
    assert credits_of(sign_up("second77", same)) == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("boris@example.org", "anna@example.org"),
        ("boris@example.org", "boris@example.net"),
        ("boris.petrov@example.org", "borispetrov@example.org"),
        ("boris-petrov@gmail.com", "borispetrov@gmail.com"),
    ],
)
def test_another_mailbox_gets_welcome_credits_of_its_own(one, other):
    assert credits_of(sign_up("first77", one)) == credits_of(sign_up("second77", other)) > 0


def test_a_new_account_of_a_banned_member_gets_no_welcome_credits():
    first = sign_up("first77", "boris@example.org")
    members.ban(first.pk)
    assert credits_of(sign_up("second77", "boris+new@example.org")) == 0


def test_many_accounts_of_one_mailbox_get_welcome_credits_once():
    total = 0
    for number in range(5):
        user = sign_up(f"again{number}", f"boris+{number}@example.org")
        total += credits_of(user)
        close_account(user)
    assert 0 < total <= site.WELCOME_CREDITS


# --- Facebook ------------------------------------------------------------------------------------


def test_the_facebook_account_of_a_closed_account_brings_no_more_welcome_credits(facebook):
    first = sign_up_through_facebook("first77")
    assert credits_of(first) > 0
    close_account(first)
    assert credits_of(sign_up_through_facebook("second77")) == 0


def test_a_facebook_account_disconnected_from_a_member_brings_no_welcome_credits(facebook):
    owner = member("owner77")
    browser = sign_in_now(Client(), owner)
    dance(browser, process="connect")
    browser.post(CONNECTIONS, {"account": owner.socialaccount_set.get().pk})
    assert not owner.socialaccount_set.exists()
    assert credits_of(sign_up_through_facebook("second77")) == 0


def test_a_mailbox_added_to_a_facebook_account_brings_no_more_welcome_credits(facebook):
    browser = Client()
    dance(browser)
    choose(browser, "first77")
    browser.post(reverse("account_add_email"), {"email": "boris@example.org"})
    browser.post(link_in(last_to("boris@example.org")))
    first = User.objects.get(username="first77")
    assert first.email == "boris@example.org"
    close_account(first)
    assert credits_of(sign_up("second77", "boris+2@example.org")) == 0
