"""Sign-up does not reveal whether an email belongs to a member: by page, time or sign-in."""

import re

import pytest
import time_machine
from allauth.account.models import EmailAddress
from django.contrib.auth import SESSION_KEY
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Preferences, User
from tests.accounts.factories import PASSWORD, member, unactivated
from tests.accounts.mail.mailbox import emails_to, last_to
from tests.accounts.signup.signing_up import CHANGE, RESEND, SENT, registered, sign_up

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

TAKEN, FREE = "annika@example.org", "norma1@example.org"
LOGIN = reverse("account_login")
VISITOR_PASSWORD = "Anoth3rWord"  # differs from PASSWORD, the member's


@pytest.fixture(autouse=True)
def _frozen_time():
    """Freeze time, since the pages show delays in seconds."""
    with time_machine.travel(timezone.now(), tick=False):
        yield


@pytest.fixture(autouse=True)
def annika():
    return member("annika")


def comparable(response, email: str) -> tuple[int, str | None, str]:
    """Return status, redirect and page, the page without its email and CSRF token."""
    page = response.content.decode().replace(email, "EMAIL")
    page = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", page)
    return response.status_code, response.get("Location"), page


def answers_to(client: Client, login: str, email: str) -> list[tuple[int, str | None, str]]:
    """Sign up, request another email, try to sign in too early; return all answers.

    The attempts to sign in are by login, by email, and by email with a wrong password.
    """
    early = [(login, VISITOR_PASSWORD), (email, VISITOR_PASSWORD), (email, "Wr0ngWord")]
    return [
        comparable(response, email)
        for response in (
            sign_up(client, login, email, password1=VISITOR_PASSWORD),
            client.get(SENT),
            client.post(RESEND),
            *(client.post(LOGIN, {"login": typed, "password": word}) for typed, word in early),
            client.get(SENT),
        )
    ]


def test_taken_email_is_answered_like_a_free_one_at_every_step():
    with_taken = answers_to(Client(), "First7", TAKEN)
    with_free = answers_to(Client(), "Other7", FREE)
    assert with_taken == with_free
    assert [status for status, _, _ in with_taken] == [302, 200, 302, 302, 302, 422, 200]


@pytest.mark.parametrize("make", [None, unactivated])
def test_unconfirmed_email_is_answered_like_a_free_one(make):
    if make:
        make("norma1")
    assert answers_to(Client(), "First7", FREE) == answers_to(
        Client(), "Other7", "nobody@example.org"
    )


def test_login_is_taken_after_sign_up_with_a_taken_or_a_free_email(client):
    sign_up(client, "First7", TAKEN)
    sign_up(client, "Other7", FREE)
    for login in ("First7", "Other7"):
        assert sign_up(Client(), login, "third@example.org").status_code == 422


def test_change_to_a_taken_address_is_answered_like_any_other():
    pages = []
    for login, email in (("First7", TAKEN), ("Other7", FREE)):
        client = Client()
        registered(client, login, f"{login.lower()}@example.org")
        changed = client.post(CHANGE, {"email": email})
        pages.append([comparable(changed, email), comparable(client.get(SENT), email)])
    assert pages[0] == pages[1]


def test_sign_up_takes_the_same_work_for_a_taken_and_a_free_email(hashed):
    """Equal counts stand for equal times: hashing and queries take nearly all of the time."""
    work = []
    for login, email in (("First7", TAKEN), ("Other7", FREE)):
        hashed.clear()
        with CaptureQueriesContext(connection) as queries:
            sign_up(Client(), login, email)
        work.append((len(hashed), len(queries)))
    (hashes, queries), (free_hashes, free_queries) = work
    assert hashes == free_hashes == 1
    assert abs(queries - free_queries) <= 1  # one query for the name in the greeting


def test_owner_of_a_taken_mailbox_gets_an_email_without_an_activation_link(client, annika):
    Preferences.objects.filter(user=annika).update(language="tr")
    sign_up(client, "First7", TAKEN)
    email = last_to(TAKEN)
    assert email.language == "tr"
    assert "annika" in email.text
    assert "First7" not in email.text
    assert "/confirm-email/" not in email.text
    assert reverse("account_reset_password") in email.text


def test_sign_up_with_a_members_email_does_not_change_the_member(client, annika):
    before = User.objects.filter(pk=annika.pk).values().get()
    answers_to(client, "First7", TAKEN)
    client.post(CHANGE, {"email": "elsewhere@example.org"})
    assert User.objects.filter(pk=annika.pk).values().get() == before
    assert EmailAddress.objects.get(user=annika).verified


def test_member_still_signs_in_by_email_when_others_signed_up_with_it(client, annika):
    sign_up(Client(), "First7", TAKEN, password1=VISITOR_PASSWORD)
    client.post(LOGIN, {"login": TAKEN, "password": PASSWORD})
    assert client.session[SESSION_KEY] == str(annika.pk)


def test_address_is_shown_only_in_the_browser_that_signed_up(client):
    registered(Client(), "Other7", FREE)
    assert FREE not in client.get(SENT).content.decode()
    assert client.post(RESEND)["Location"] == SENT
    assert client.post(CHANGE, {"email": "elsewhere@example.org"})["Location"] == SENT
    assert len(emails_to(FREE)) == 1
    assert not emails_to("elsewhere@example.org")


def test_emails_per_mailbox_are_limited_silently(settings):
    settings.ACCOUNT_RATE_LIMITS = {"confirm_email": "2/d/key"}
    answers = []
    for number in range(3):
        client = Client()
        status = sign_up(client, f"Other{number}", FREE).status_code
        page = client.get(SENT).content.decode()
        answers.append((status, "We sent another email" in page))
    assert answers[0] == answers[1] == answers[2]
    assert len(emails_to(FREE)) == 2
