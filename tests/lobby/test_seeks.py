"""Announcing, joining, canceling and expiry, and the credits after each."""

import pytest
from django.utils import timezone

from accounts.models import Block, User
from accounts.shared.refusals import Refused
from games.stakes.escrow import NoCredits
from games.stakes.terms import MAX_STAKE, MIN_STAKE
from lobby.models import Seek
from lobby.services import announcing, ending, expiry, joining
from tests.accounts.factories import UserFactory
from tests.lobby.factories import announcement, minutes
from tests.wallet.factories import player
from wallet.selectors import Funds, funds_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return player("owner5")


@pytest.fixture
def joiner() -> User:
    return player("joiner")


def assert_refused(code: str, function, *args) -> None:
    with pytest.raises(Refused) as refused:
        function(*args)
    assert refused.value.code == code


def test_an_announced_game_reserves_its_stake(owner):
    seek = announcing.announce(owner, announcement(stake=300), timezone.now())
    assert seek.state == Seek.State.OPEN
    assert funds_of(owner.pk) == Funds(available=700, reserved=300)


def test_joining_moves_both_stakes_into_the_pot(owner, joiner):
    now = timezone.now()
    seek = announcing.announce(owner, announcement(stake=300), now)
    match = joining.join(seek.public_id, joiner, now)
    assert (match.stake_credits, match.rake_credits) == (300, 30)
    assert funds_of(owner.pk) == funds_of(joiner.pk) == Funds(700, 0)


def test_an_announcement_that_is_taken_back_gives_the_stake_back_once(owner):
    now = timezone.now()
    seek = announcing.announce(owner, announcement(), now)
    for _ in range(2):
        ending.cancel(seek.public_id, owner, now)
        assert funds_of(owner.pk) == Funds(1000, 0)


@pytest.mark.parametrize("stake", [MIN_STAKE - 1, MAX_STAKE + 1, 2**31, 2**63])
def test_stake_outside_the_limits_is_refused_before_anything_is_reserved(stake):
    rich = player("rich", credits=2**33)
    assert_refused("stake", announcing.announce, rich, announcement(stake=stake), timezone.now())
    assert funds_of(rich.pk) == Funds(2**33, 0)


def test_the_largest_stake_can_be_played_for():
    now, both = timezone.now(), [player("rich1", 2**33), player("rich2", 2**33)]
    seek = announcing.announce(both[0], announcement(stake=MAX_STAKE), now)
    assert joining.join(seek.public_id, both[1], now).stake_credits == MAX_STAKE


def test_an_announcement_expires_after_five_minutes_and_not_before(owner, joiner):
    now = timezone.now()
    seek = announcing.announce(owner, announcement(), now)
    assert expiry.settle_due(now + minutes(4.99)) == seek.expires_at
    assert funds_of(owner.pk).reserved == 100
    assert expiry.settle_due(now + minutes(5)) is None
    assert funds_of(owner.pk) == Funds(1000, 0)
    assert_refused("gone", joining.join, seek.public_id, joiner, now + minutes(5))


def test_nobody_joins_an_expired_game_that_no_worker_has_closed_yet(owner, joiner):
    now = timezone.now()
    seek = announcing.announce(owner, announcement(), now)
    assert_refused("gone", joining.join, seek.public_id, joiner, now + minutes(5))


def test_joining_takes_back_the_joiners_announcement(owner, joiner):
    now = timezone.now()
    seek = announcing.announce(owner, announcement(stake=100), now)
    own = announcing.announce(joiner, announcement(stake=950), now)
    joining.join(seek.public_id, joiner, now)
    own.refresh_from_db()
    assert own.state == Seek.State.CANCELED
    assert funds_of(joiner.pk) == Funds(900, 0)


def test_a_member_has_one_announcement_and_one_live_match(owner, joiner):
    now = timezone.now()
    seek = announcing.announce(owner, announcement(), now)
    assert_refused("announced", announcing.announce, owner, announcement(), now)
    joining.join(seek.public_id, joiner, now)
    assert_refused("busy", announcing.announce, owner, announcement(), now)
    third = announcing.announce(player("third"), announcement(), now)
    assert_refused("busy", joining.join, third.public_id, joiner, now)


def test_second_joiner_is_refused(owner, joiner):
    now = timezone.now()
    seek = announcing.announce(owner, announcement(), now)
    joining.join(seek.public_id, joiner, now)
    late = player("late5")
    assert_refused("gone", joining.join, seek.public_id, late, now)
    assert funds_of(late.pk) == Funds(1000, 0)


def test_a_joined_game_cannot_be_taken_back(owner, joiner):
    now = timezone.now()
    seek = announcing.announce(owner, announcement(), now)
    joining.join(seek.public_id, joiner, now)
    assert_refused("gone", ending.cancel, seek.public_id, owner, now)


def test_joining_without_enough_credits_reports_the_shortfall(owner):
    poor = player("poor5", credits=70)
    now = timezone.now()
    seek = announcing.announce(owner, announcement(stake=100), now)
    own = announcing.announce(poor, announcement(stake=50), now)
    with pytest.raises(NoCredits) as missing:
        joining.join(seek.public_id, poor, now)
    assert missing.value.shortfall == 30
    own.refresh_from_db()
    assert own.state == Seek.State.OPEN
    assert funds_of(poor.pk) == Funds(20, 50)


def test_uninvited_members_blocked_members_and_the_owner_cannot_join(owner, joiner):
    now = timezone.now()
    seek = announcing.announce(owner, announcement(), now)
    assert_refused("own", joining.join, seek.public_id, owner, now)
    Block.objects.create(owner=owner, blocked=joiner, created_at=now)
    assert_refused("gone", joining.join, seek.public_id, joiner, now)
    friend = player("friend")
    wanted = announcement(access=Seek.Access.PERSON, invited_id=owner.pk)
    challenge = announcing.announce(friend, wanted, now)
    assert_refused("not_invited", joining.join, challenge.public_id, joiner, now)


def test_rating_outside_the_range_is_refused(owner, joiner):
    now = timezone.now()
    seek = announcing.announce(owner, announcement(least_rating=1501), now)
    assert_refused("rating", joining.join, seek.public_id, joiner, now)


def test_an_unactivated_account_neither_announces_nor_joins(owner):
    now = timezone.now()
    stranger = UserFactory(username="newone")
    assert_refused("not_member", announcing.announce, stranger, announcement(), now)
    seek = announcing.announce(owner, announcement(), now)
    assert_refused("not_member", joining.join, seek.public_id, stranger, now)
