"""Unguessable public ids; logins and emails unique regardless of case."""

import pytest
from django.db import IntegrityError

from accounts.models import PUBLIC_ID_ALPHABET, User, new_public_id


def test_public_ids_are_twelve_letters_and_digits_and_differ():
    ids = {new_public_id() for _ in range(200)}
    assert len(ids) == 200
    assert all(len(id) == 12 and set(id) <= set(PUBLIC_ID_ALPHABET) for id in ids)


@pytest.mark.django_db
def test_logins_are_unique_regardless_of_case():
    User.objects.create_user("Player7")
    with pytest.raises(IntegrityError):
        User.objects.create_user("pLAYER7")


@pytest.mark.django_db
def test_emails_are_unique_regardless_of_case():
    User.objects.create_user("first", "Person@example.org")
    with pytest.raises(IntegrityError):
        User.objects.create_user("second", "person@EXAMPLE.org")


@pytest.mark.django_db
def test_many_accounts_may_have_no_email():
    User.objects.create_user("first")
    User.objects.create_user("second")
    assert User.objects.filter(email="").count() == 2
