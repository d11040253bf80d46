"""A changed SECRET_KEY: with the old one in SECRET_KEY_FALLBACKS, sessions and links stay valid."""

from uuid import uuid4

import pytest
from django.contrib.auth.tokens import default_token_generator
from django.core import signing
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.closing import services as closing
from accounts.members import guests
from accounts.models import User
from accounts.sessions.identities import identify
from accounts.shared.open_sockets import owners
from accounts.signup.selectors import is_login_taken
from tests.accounts.factories import member, sign_in

pytestmark = pytest.mark.django_db

NEW = "an entirely different secret key of this site"


@pytest.fixture
def anna() -> User:
    return member("anna5")


@pytest.fixture
def tab(anna: User) -> Client:
    return sign_in(Client(), anna)


def change_secret_key(settings, *, keeps_old: bool = True) -> None:
    old, settings.SECRET_KEY = settings.SECRET_KEY, NEW
    settings.SECRET_KEY_FALLBACKS = [old] if keeps_old else []


def session_key_of(tab: Client, settings) -> str:
    return tab.cookies[settings.SESSION_COOKIE_NAME].value


def is_signed_in(tab: Client) -> bool:
    return tab.get(reverse("account_sessions")).status_code == 200


def test_members_stay_signed_in_under_the_same_session_key(settings, tab):
    key = session_key_of(tab, settings)
    change_secret_key(settings)
    assert is_signed_in(tab)
    assert session_key_of(tab, settings) == key


def test_parallel_requests_of_one_page_stay_signed_in(settings, tab):
    second = Client()
    second.cookies[settings.SESSION_COOKIE_NAME] = session_key_of(tab, settings)
    change_secret_key(settings)
    assert is_signed_in(tab)
    assert is_signed_in(second)


def test_a_socket_that_reconnects_first_does_not_sign_its_member_out(settings, tab, anna):
    key = session_key_of(tab, settings)
    change_secret_key(settings)
    assert identify(key)[1] == anna
    assert is_signed_in(tab)


def test_a_running_table_stays_open_before_its_session_is_signed_again(settings, tab, anna):
    key = session_key_of(tab, settings)
    change_secret_key(settings)
    assert owners([key]) == {key: anna.pk}
    settings.SECRET_KEY_FALLBACKS = []
    assert owners([key]) == {}


def test_a_session_that_a_newer_process_signed_is_known_by_its_key_among_the_fallbacks(
    settings, tab, anna
):
    old, key = settings.SECRET_KEY, session_key_of(tab, settings)
    change_secret_key(settings)
    assert is_signed_in(tab)  # signed by the new key
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = old, [NEW]
    assert owners([key]) == {key: anna.pk}


def test_a_session_is_signed_again_at_its_next_use(settings, tab):
    change_secret_key(settings)
    assert is_signed_in(tab)
    settings.SECRET_KEY_FALLBACKS = []
    assert is_signed_in(tab)


def test_a_key_that_is_not_kept_signs_everybody_out(settings, tab):
    change_secret_key(settings, keeps_old=False)
    assert not is_signed_in(tab)


def test_a_guest_keeps_their_session(settings):
    guest, session = uuid4(), Client().session
    session[guests.KEY] = str(guest)
    session.save()
    change_secret_key(settings)
    found, _ = identify(session.session_key)
    assert guests.guest_of(found) == guest


def test_links_in_emails_still_work(settings, anna):
    token, signed = default_token_generator.make_token(anna), signing.dumps(anna.pk, salt="x")
    change_secret_key(settings)
    assert default_token_generator.check_token(anna, token)
    assert signing.loads(signed, salt="x") == anna.pk


def test_the_login_of_a_closed_account_stays_taken_under_new_keys(settings, anna):
    closing.close(anna.pk, timezone.now())
    settings.IDENTITY_KEYS = [NEW, *settings.IDENTITY_KEYS]
    assert is_login_taken("Anna5", timezone.now())
    second = member("boris")
    closing.close(second.pk, timezone.now())
    settings.IDENTITY_KEYS = [NEW]
    assert is_login_taken("boris", timezone.now())
