"""A member cannot begin a match for credits from two minutes before a commitment on."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.shared.refusals import Refused
from games import selectors
from games.conduct import commitments
from games.models.commitment import CLOSED_BEFORE, FORGOTTEN_AFTER
from games.stakes import escrow
from lobby.models import Seek
from lobby.services import announcing, expiry, joining
from tests.games.factories import StakeMatchFactory
from tests.lobby.factories import announcement
from tests.wallet.factories import player
from wallet.selectors import funds_of

pytestmark = pytest.mark.django_db
NOW = timezone.now()
EVENT = "tournament:one"
SECOND = timedelta(seconds=1)


def add_commitment(user, starts_at) -> None:
    commitments.add(user.pk, EVENT, starts_at)


def test_commitment_counts_from_two_minutes_before_its_start_until_it_is_forgotten() -> None:
    user = player("entrant")
    add_commitment(user, NOW)
    moments = [
        NOW - CLOSED_BEFORE - SECOND,
        NOW - CLOSED_BEFORE,
        NOW + FORGOTTEN_AFTER - SECOND,
        NOW + FORGOTTEN_AFTER,
    ]
    found = [selectors.are_committed([user.pk], moment) for moment in moments]
    assert found == [False, True, True, False]


def test_a_removed_commitment_no_longer_counts() -> None:
    user, other = player("entrant"), player("other")
    for each in (user, other):
        add_commitment(each, NOW)
    commitments.remove(EVENT, [user.pk])
    assert not selectors.are_committed([user.pk], NOW)
    assert selectors.are_committed([user.pk, other.pk], NOW)


def test_no_match_for_credits_begins_just_before_a_commitment() -> None:
    white, black = player("white5"), player("black5")
    add_commitment(black, NOW + CLOSED_BEFORE)
    with pytest.raises(Refused, match="committed"):
        StakeMatchFactory(white=white, black=black, now=NOW)


def test_announcing_is_refused_just_before_a_commitment() -> None:
    owner = player("owner")
    add_commitment(owner, NOW + CLOSED_BEFORE)
    with pytest.raises(Refused, match="committed"):
        announcing.announce(owner, announcement(), NOW)
    assert funds_of(owner.pk).reserved == 0


def test_joining_is_refused_just_before_a_commitment() -> None:
    owner, joiner = player("owner"), player("joiner")
    seek = announcing.announce(owner, announcement(), NOW)
    add_commitment(joiner, NOW + CLOSED_BEFORE)
    with pytest.raises(Refused, match="committed"):
        joining.join(seek.public_id, joiner, NOW)


def test_an_announcement_is_canceled_and_refunded_just_before_a_commitment() -> None:
    owner = player("owner")
    seek = announcing.announce(owner, announcement(), NOW)
    closes_at = NOW + timedelta(minutes=1)
    add_commitment(owner, closes_at + CLOSED_BEFORE)
    assert expiry.settle_due(closes_at - SECOND) == closes_at
    seek.refresh_from_db()
    assert seek.state == Seek.State.OPEN
    expiry.settle_due(closes_at)
    seek.refresh_from_db()
    assert seek.state == Seek.State.BUSY
    assert funds_of(owner.pk).reserved == 0


def test_announcement_of_a_member_who_is_expected_elsewhere_cannot_be_joined() -> None:
    owner, joiner = player("owner"), player("joiner")
    seek = announcing.announce(owner, announcement(), NOW)
    add_commitment(owner, NOW + CLOSED_BEFORE)
    with pytest.raises(Refused, match="gone"):
        joining.join(seek.public_id, joiner, NOW)
    assert escrow.stakable_credits(joiner.pk) == funds_of(joiner.pk).total
