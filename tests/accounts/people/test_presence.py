"""Presence is the time of the last ping, stored at most every half minute."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts import selectors
from accounts.models import Presence
from accounts.people import presence
from tests.accounts.factories import UserFactory

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


@pytest.fixture
def anna():
    return UserFactory(username="anna77")


def seen_at(user):
    return Presence.objects.get(user=user).seen_at


def test_a_first_ping_is_stored(anna):
    presence.touch(anna.pk, NOON)
    assert seen_at(anna) == NOON
    assert selectors.is_online(anna, NOON)


def test_pings_within_half_a_minute_are_written_once(anna, django_assert_num_queries):
    presence.touch(anna.pk, NOON)
    with django_assert_num_queries(1):
        presence.touch(anna.pk, NOON + timedelta(seconds=29))
    assert seen_at(anna) == NOON


def test_a_later_ping_is_stored_again(anna):
    presence.touch(anna.pk, NOON)
    presence.touch(anna.pk, NOON + presence.TOUCH_EVERY)
    assert seen_at(anna) == NOON + presence.TOUCH_EVERY


def test_concurrent_first_pings_make_one_row(anna, monkeypatch):
    """Both pings read that there is no row yet, so both try to create it."""
    presence.touch(anna.pk, NOON)
    monkeypatch.setattr("django.db.models.query.QuerySet.first", lambda query: None)
    presence.touch(anna.pk, NOON + timedelta(hours=1))
    monkeypatch.undo()
    assert Presence.objects.count() == 1


def test_an_earlier_ping_does_not_overwrite_a_later_one(anna):
    presence.touch(anna.pk, NOON)
    presence.touch(anna.pk, NOON - timedelta(minutes=5))
    assert seen_at(anna) == NOON


def test_pings_every_twenty_seconds_keep_a_member_online(anna):
    """Every other ping is stored: the stored time is at most 40 s old, and counts for 90 s."""
    for second in range(0, 300, 20):
        now = NOON + timedelta(seconds=second)
        presence.touch(anna.pk, now)
        assert selectors.is_online(anna, now + timedelta(seconds=19))


def test_a_hidden_page_that_pings_once_a_minute_stays_online(anna):
    presence.touch(anna.pk, NOON)
    assert selectors.is_online(anna, NOON + timedelta(seconds=65))
    assert not selectors.is_online(anna, NOON + selectors.ONLINE_FOR)


def test_presence_is_per_member(anna):
    boris = UserFactory(username="boris77")
    presence.touch(anna.pk, NOON)
    assert not selectors.is_online(boris, NOON)
