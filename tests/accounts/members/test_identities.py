"""Fingerprints recognize a person whose account was closed, even after a change of the key."""

from importlib import import_module

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.closing import services as closing
from accounts.mail.mailboxes import one_mailbox
from accounts.members import identities
from accounts.models import Fingerprint, User
from config.personal_data import data_of
from tests.accounts.factories import UserFactory, member, sign_in

pytestmark = pytest.mark.django_db


def digests_of(user):
    return set(Fingerprint.objects.filter(user=user).values_list("digest", flat=True))


def remember_identity_of(user):
    return identities.remember(user.pk, timezone.now())


def test_remembering_is_idempotent():
    user = UserFactory(member=True)
    assert remember_identity_of(user)
    assert remember_identity_of(user)
    assert len(digests_of(user)) == 1


def test_nothing_is_remembered_of_a_user_without_email_or_facebook():
    assert not remember_identity_of(UserFactory(member=True, email=""))
    assert not Fingerprint.objects.exists()


def test_an_unconfirmed_address_is_not_remembered():
    user = UserFactory(member=True, email="")
    EmailAddress.objects.create(user=user, email="boris@example.org", verified=False)
    assert not remember_identity_of(user)


def test_the_database_refuses_a_second_owner_of_a_digest():
    first, second = UserFactory(member=True), UserFactory(member=True)
    remember_identity_of(first)
    with pytest.raises(IntegrityError), transaction.atomic():
        Fingerprint.objects.create(
            digest=digests_of(first).pop(), user=second, created_at=timezone.now()
        )


def test_remembering_returns_false_if_one_of_two_identities_is_taken():
    first, second = UserFactory(member=True), UserFactory(member=True)
    SocialAccount.objects.create(user=first, provider="facebook", uid="1000001")
    remember_identity_of(first)
    SocialAccount.objects.all().delete()
    SocialAccount.objects.create(user=second, provider="facebook", uid="1000001")
    assert not remember_identity_of(second)


def test_the_table_contains_no_readable_address():
    user = UserFactory(member=True, email="boris@example.org")
    remember_identity_of(user)
    assert len(digests_of(user).pop()) == 64
    assert not Fingerprint.objects.filter(digest__contains="boris").exists()


# --- Keys ----------------------------------------------------------------------------------------


def test_a_mailbox_is_recognized_by_an_old_key_and_later_by_the_new_one(settings):
    settings.IDENTITY_KEYS = ["old"]
    first = UserFactory(member=True, email="boris@example.org")
    remember_identity_of(first)
    closing.close(first.pk, timezone.now())
    settings.IDENTITY_KEYS = ["new", "old"]
    assert not remember_identity_of(UserFactory(member=True, email="boris+2@example.org"))
    settings.IDENTITY_KEYS = ["new"]
    assert not remember_identity_of(UserFactory(member=True, email="boris+3@example.org"))


def test_keepfingerprints_adds_fingerprints_under_the_new_key(settings, capsys):
    settings.IDENTITY_KEYS = ["old"]
    user = member("owner77")
    settings.IDENTITY_KEYS = ["new", "old"]
    call_command("keepfingerprints")
    call_command("keepfingerprints")
    assert "1 members" in capsys.readouterr().out
    assert len(digests_of(user)) == 2


# --- Migration of existing members ---------------------------------------------------------------


def test_the_migration_stores_the_fingerprints_of_existing_members():
    earlier = UserFactory(member=True, email="boris+1@example.org")
    later = UserFactory(member=True, email="boris+2@example.org")
    connected = UserFactory(member=True, email="")
    SocialAccount.objects.create(user=connected, provider="facebook", uid="1000001")
    UserFactory(email="waiting@example.org")
    migration = import_module("accounts.migrations.0008_fill_fingerprints")
    migration.fill(apps, None)
    migration.fill(apps, None)
    assert Fingerprint.objects.count() == 2
    assert digests_of(earlier)
    assert digests_of(connected)
    assert not digests_of(later)
    assert remember_identity_of(earlier)
    assert not remember_identity_of(later)


# --- Export and closing --------------------------------------------------------------------------


def test_the_export_has_the_fingerprints_and_closing_keeps_them():
    user = member("owner77")
    (line,) = data_of(user)["account"]["fingerprints"]
    assert {line["digest"]} == digests_of(user)
    page = sign_in(Client(), user).get(reverse("people:close")).content.decode()
    assert "fingerprints of your email and of your IDs at other sites" in page
    closing.close(user.pk, timezone.now())
    assert digests_of(User.objects.get(pk=user.pk)) == {line["digest"]}


def test_closing_an_account_without_fingerprints_stores_them():
    user = member("owner77")
    Fingerprint.objects.all().delete()
    closing.close(user.pk, timezone.now())
    assert digests_of(user)


def test_sign_in_renews_fingerprints_made_by_older_rules_of_mailboxes(client, monkeypatch):
    user = UserFactory(member=True, email="shop@anna.fastmail.com")
    EmailAddress.objects.filter(user=user).delete()
    with monkeypatch.context() as older:
        older.setattr(identities, "one_mailbox", str.lower)
        remember_identity_of(user)
    before = digests_of(user)
    assert len(before) == 1
    sign_in(client, user)
    assert before < digests_of(user)
    same = UserFactory(member=True, email="anna@fastmail.com")
    assert not remember_identity_of(same)


def test_sign_in_stores_no_fingerprints_of_an_account_without_any(client):
    user = UserFactory(member=True)
    sign_in(client, user)
    assert not digests_of(user)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("anna@fastmail.com", "any.thing@anna.fastmail.com"),
        ("anna+x@fastmail.fm", "shop@anna.fastmail.fm"),
        ("joe_citizen@fastmail.fm", "shop@joe-citizen.fastmail.fm"),
        ("anna@fastmail.co.uk", "a@anna.fastmail.co.uk"),
    ],
)
def test_fastmails_subdomain_is_the_name_of_the_mailbox(one, other):
    assert one_mailbox(one) == one_mailbox(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("anna@fastmail.com", "anna@fastmail.fm"),
        ("x@anna.example.org", "y@anna.example.org"),
        ("anna@fastmail.com", "anna@boris.fastmail.com"),
    ],
)
def test_other_domains_and_subdomains_are_different_mailboxes(one, other):
    assert one_mailbox(one) != one_mailbox(other)
