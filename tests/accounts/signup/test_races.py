"""Concurrent sign-ups for one login, one mailbox, or with one link."""

import pytest
from allauth.account.models import EmailAddress
from allauth.core.internal import ratelimit
from django.test import Client

from accounts.models import User
from tests.accounts.mail.mailbox import emails_to, link_in
from tests.accounts.signup.signing_up import CHANGE, EMAIL, link_to, registered, sign_up
from tests.support.patience import PATIENCE_S
from tests.support.races import THREADS, at_once, one_after_the_other
from wallet.models import Transfer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    """Wait longer for the lock of a rate limit: a timeout there counts as an exceeded limit."""
    monkeypatch.setattr(ratelimit, "CACHE_LOCK_WAIT_TIMEOUT", PATIENCE_S)


def test_concurrent_sign_ups_for_one_login_make_one_account():
    answers = at_once(
        lambda number: sign_up(Client(), "Boris7", f"b{number}@example.org").status_code
    )
    assert answers == [302, 422, 422, 422]
    assert User.objects.count() == 1


def test_concurrent_links_for_one_mailbox_activate_one_account():
    for number in range(THREADS):
        registered(Client(), f"Boris{number}")
    links = [link_in(email) for email in emails_to(EMAIL)]
    answers = at_once(lambda number: Client().post(links[number]).status_code)
    assert answers == [302, 410, 410, 410]
    assert User.objects.filter(email=EMAIL, activated_at__isnull=False).count() == 1
    assert User.objects.filter(email="", activated_at__isnull=True).count() == THREADS - 1


def test_concurrent_uses_of_one_link_activate_once():
    registered(Client())
    link = link_to()
    answers = at_once(lambda number: Client().post(link).status_code)
    assert set(answers) <= {302, 410}
    assert User.objects.get().is_member
    assert Transfer.objects.count() == 1


def test_concurrent_activations_of_spellings_of_one_mailbox_give_welcome_credits_once():
    for number in range(THREADS):
        registered(Client(), f"Boris{number}", f"boris+{number}@example.org")
    links = [link_to(f"boris+{number}@example.org") for number in range(THREADS)]
    answers = at_once(lambda number: Client().post(links[number]).status_code)
    assert answers == [302] * THREADS
    assert User.objects.filter(activated_at__isnull=False).count() == THREADS
    assert Transfer.objects.count() == 1


def test_a_link_followed_while_its_address_is_changed_is_dead(client):
    user = registered(client, email="tpyo@example.org")
    old = link_to("tpyo@example.org")
    answers = []
    one_after_the_other(
        lambda: client.post(CHANGE, {"email": EMAIL}),
        lambda: answers.append(Client().post(old).status_code),
    )
    assert answers == [410]
    user.refresh_from_db()
    assert (user.email, user.activated_at) == ("", None)
    assert EmailAddress.objects.get().email == EMAIL
