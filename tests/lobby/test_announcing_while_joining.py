"""A member announces a game, or blocks a player, in one tab while another match begins or ends."""

from datetime import timedelta
from functools import partial

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.people import blocks
from accounts.shared.transactions import write_transaction
from games.engine.sides import Side
from games.models import Match
from games.models.actor import Actor
from games.selectors import has_live_stake
from games.services import rematches
from games.signals import match_agreed
from lobby.models import Seek
from lobby.services import announcing, joining, pairs, searching
from tests.games.factories import FriendlySitting, StakeSitting, command, give_history
from tests.lobby.factories import announcement
from tests.support.races import one_after_the_other
from tests.wallet.factories import player
from wallet.selectors import funds_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def member() -> User:
    return player("member")


def test_announcing_is_refused_while_joining_another_game(member: User) -> None:
    now = timezone.now()
    seek = announcing.announce(player("other5"), announcement(), now)
    acts = [
        lambda: joining.join(seek.public_id, member, now),
        lambda: announcing.announce(member, announcement(), now),
    ]
    assert one_after_the_other(*acts) == "busy"
    assert not Seek.objects.filter(owner=member).exists()


def test_joining_takes_back_an_announcement_made_meanwhile(member: User) -> None:
    now = timezone.now()
    seek = announcing.announce(player("other5"), announcement(), now)
    acts = [
        lambda: announcing.announce(member, announcement(), now),
        lambda: joining.join(seek.public_id, member, now),
    ]
    assert one_after_the_other(*acts) == ""
    assert has_live_stake(member.pk)
    assert Seek.objects.get(owner=member).state == Seek.State.CANCELED
    assert funds_of(member.pk).total == funds_of(member.pk).available == 900


def test_rematch_takes_back_an_announcement_made_meanwhile(member: User) -> None:
    now, other = timezone.now(), player("other5")

    def agree() -> None:
        with write_transaction():
            match_agreed.send(Match, user_ids=[member.pk, other.pk], guests=[], now=now)

    announce = partial(announcing.announce, member, announcement(), now)
    assert one_after_the_other(announce, agree) == ""
    assert Seek.objects.get(owner=member).state == Seek.State.CANCELED


def test_a_challenge_that_a_block_overtakes_is_refused(member: User) -> None:
    now, other = timezone.now(), player("other5")
    wanted = announcement(access=Seek.Access.PERSON, invited_id=member.pk)
    acts = [
        lambda: blocks.block(member.pk, other.pk, now),
        lambda: announcing.announce(other, wanted, now),
    ]
    assert one_after_the_other(*acts) == "unavailable"
    assert not Seek.objects.exists()


def test_two_people_are_not_paired_while_one_blocks_the_other(member: User) -> None:
    now, other = timezone.now(), player("other5")
    blocks.block(member.pk, other.pk, now)
    for user in (member, other):
        searching.start(Actor(user_id=user.pk), searching.Choice(announcement().rules), now)
    blocks.unblock(member.pk, other.pk)
    block = partial(blocks.block, member.pk, other.pk, now)
    one_after_the_other(block, partial(pairs.pair_waiting, now + timedelta(seconds=1)))
    assert not Match.objects.exists()


def test_a_rematch_that_a_block_overtakes_is_refused(member: User) -> None:
    other = player("other5")
    sitting = FriendlySitting(Actor(user_id=member.pk), Actor(user_id=other.pk))
    sitting.sit().start_game().do("resign_match")
    ask = partial(rematches.submit, sitting.public_id)
    offer, accept = (command(t, sitting.seq) for t in ("rematch_offer", "rematch_accept"))
    ask(sitting.actors[Side.WHITE], offer, sitting.now)
    block = partial(blocks.block, member.pk, other.pk, sitting.now)
    answer = partial(ask, sitting.actors[Side.BLACK], accept, sitting.now)
    assert one_after_the_other(block, answer) == "unavailable"
    assert not Match.objects.filter(rematch_of=sitting.match).exists()


# --- A match that ends meanwhile suspends the member ---------------------------------------------


def leave_early(sitting: StakeSitting) -> None:
    sitting.do("resign_match", side=Side.WHITE)


@pytest.fixture
def last(member: User) -> StakeSitting:
    """Return a running match of the member, who is suspended if they leave it."""
    third = player("third5")
    leave_early(StakeSitting(member, third).sit())
    return StakeSitting(member, third).sit()


def test_announcing_is_refused_while_a_match_ends_with_a_suspension(
    member: User, last: StakeSitting
) -> None:
    announce = partial(announcing.announce, member, announcement(), last.now)
    assert one_after_the_other(partial(leave_early, last), announce) == "paused"
    assert not Seek.objects.exists()


def test_joining_is_refused_while_a_match_ends_with_a_suspension(
    member: User, last: StakeSitting
) -> None:
    seek = announcing.announce(player("other5"), announcement(), last.now)
    join = partial(joining.join, seek.public_id, member, last.now)
    assert one_after_the_other(partial(leave_early, last), join) == "paused"
    assert Match.objects.filter(finished_at=None).count() == 0
    assert Seek.objects.get().state == Seek.State.OPEN


def test_a_rematch_is_refused_while_another_match_ends_with_a_suspension(member: User) -> None:
    other, third = player("other5"), player("third5")
    for user in (member, other):
        give_history(user)
    old = StakeSitting(member, other).sit().start_game()
    old.do("resign_match")
    ask = partial(rematches.submit, old.public_id)
    offer, accept = (command(t, old.seq) for t in ("rematch_offer", "rematch_accept"))
    ask(old.actors[Side.BLACK], offer, old.now)
    leave_early(StakeSitting(member, third).sit())
    last = StakeSitting(member, third).sit()
    answer = partial(ask, old.actors[Side.WHITE], accept, last.now)
    assert one_after_the_other(partial(leave_early, last), answer) == "unavailable"
    assert not Match.objects.filter(rematch_of=old.match).exists()
