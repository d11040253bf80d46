"""The worker expires announcements and tries failing ones again later.

A nightly command deletes old announcements that nobody joined.
"""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from lobby.models import Seek
from lobby.services import announcing, ending, expiry, joining
from tests.lobby.factories import announcement
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def due():
    """Return three announcements in the order of their expiry, and a moment after all of them."""
    start = timezone.now()
    names = ("anna5", "boris", "clara")
    seeks = [
        announcing.announce(player(name), announcement(), start + timedelta(seconds=n))
        for n, name in enumerate(names)
    ]
    return seeks, start + expiry.LIFETIME + timedelta(seconds=5)


@pytest.fixture
def broken(monkeypatch):
    """Return two lists of ids: announcements that a test wants to fail, and their failed tries."""
    ids, tries, close = [], [], expiry.close

    def fail(seek, state, now):
        if seek.id in ids:
            tries.append(seek.id)
            raise ArithmeticError("broken")
        close(seek, state, now)

    monkeypatch.setattr(expiry, "close", fail)
    monkeypatch.setattr(expiry.RETRIES, "_failures", {})
    return ids, tries


def states(seeks):
    return [Seek.objects.get(pk=seek.pk).state for seek in seeks]


def test_a_whole_batch_that_fails_does_not_keep_the_next_from_expiring(due, broken, monkeypatch):
    (seeks, now), (ids, _) = due, broken
    monkeypatch.setattr(expiry, "BATCH", 2)
    ids += [seek.id for seek in seeks[:2]]
    assert expiry.settle_due(now) == now  # a full batch: more may be due
    expiry.settle_due(now)
    assert states(seeks) == [Seek.State.OPEN, Seek.State.OPEN, Seek.State.EXPIRED]


def test_a_failing_announcement_is_tried_less_and_less_often_and_logged_once(due, broken, caplog):
    (seeks, now), (ids, tries) = due, broken
    ids.append(seeks[0].id)
    for n in range(40):  # ten seconds of polls
        expiry.settle_due(now + timedelta(seconds=n / 4))
    assert len(tries) == 4  # after 0, 1, 3 and 7 s
    assert caplog.text.count("announcement not settled") == 1
    assert states(seeks) == [Seek.State.OPEN, Seek.State.EXPIRED, Seek.State.EXPIRED]


def test_a_failing_announcement_expires_once_it_no_longer_fails(due, broken):
    (seeks, now), (ids, _) = due, broken
    ids.append(seeks[0].id)
    again_at = expiry.settle_due(now)
    assert again_at == now + timedelta(seconds=1)
    ids.clear()
    assert expiry.settle_due(again_at) is None
    assert states(seeks) == [Seek.State.EXPIRED] * 3


def test_announcements_that_nobody_joined_are_forgotten_after_90_days():
    now = timezone.now()
    old = now - timedelta(days=91)
    anna, boris = player("annika"), player("boris5")
    ending.cancel(announcing.announce(anna, announcement(), old).public_id, anna, old)
    joined = announcing.announce(anna, announcement(), old)
    joining.join(joined.public_id, boris, old)
    young = announcing.announce(player("clara5"), announcement(), now - timedelta(days=89))
    ending.cancel(young.public_id, young.owner, now - timedelta(days=89))
    call_command("forgetinvitations")
    assert set(Seek.objects.all()) == {joined, young}
