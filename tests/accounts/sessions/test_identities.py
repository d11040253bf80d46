"""Sockets that arrive together are identified together, each as a request would be."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.members import guests
from accounts.models import User
from accounts.sessions.identities import Identity, identify, identify_each
from tests.accounts.factories import member, sign_in

pytestmark = pytest.mark.django_db
UNKNOWN = "u" * 32


def key_of(user: User) -> str:
    return str(sign_in(Client(), user).session.session_key)


def key_of_guest() -> str:
    session = Client().session
    session[guests.KEY] = str(uuid4())
    session.save()
    return str(session.session_key)


def seen(identity: Identity) -> tuple[object, ...]:
    """Return whether the session is empty, its key, the user's id and the session's values."""
    session, user = identity
    return session.is_empty(), session.session_key, user.pk, dict(session.items())


def expired(key: str) -> str:
    earlier = timezone.now() - timedelta(seconds=1)
    Session.objects.filter(session_key=key).update(expire_date=earlier)
    return key


def test_sessions_of_each_kind_are_identified_together_as_they_are_one_by_one() -> None:
    banned, changed = member("banned"), member("changed")
    keys = {
        "member": key_of(member("annika")),
        "guest": key_of_guest(),
        "unknown": UNKNOWN,
        "expired": expired(key_of(member("boris"))),
        "banned": key_of(banned),
        "changed": key_of(changed),
        "unreadable": key_of(member("deniz")),
    }
    User.objects.filter(pk=banned.pk).update(is_active=False)
    changed.set_password("another password 1")
    changed.save()
    Session.objects.filter(session_key=keys["unreadable"]).update(session_data="x")
    together = identify_each(set(keys.values()))
    found = {kind: seen(together[key]) for kind, key in keys.items()}
    assert found == {kind: seen(identify(key)) for kind, key in keys.items()}
    assert found["member"][2] == User.objects.get(username="annika").pk
    assert {kind for kind in keys if found[kind][2]} == {"member"}
    assert found["guest"][3].keys() == {guests.KEY}


def test_a_session_that_an_earlier_secret_key_signed_is_known(settings) -> None:
    anna = member("annika")
    key = key_of(anna)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "an entirely different secret key of this site"
    assert identify_each({key})[key].user == anna


def test_any_number_of_members_and_guests_takes_two_queries() -> None:
    keys = {key_of(member(f"member{number}")) for number in range(4)}
    keys |= {key_of_guest() for _ in range(4)}
    with CaptureQueriesContext(
        connection,
    ) as queries:
        found = identify_each(keys)
        assert all(
            identity.user.is_anonymous or identity.user.preferences for identity in found.values()
        )
    assert len(queries) == 2
