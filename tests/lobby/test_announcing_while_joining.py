"""A member announces a game in one tab while joining a game or a rematch in another tab."""

from functools import partial

import pytest
from django.utils import timezone

from accounts.models import User
from accounts.shared.transactions import write_transaction
from games.models import Match
from games.selectors import has_live_stake
from games.signals import match_agreed
from lobby.models import Seek
from lobby.services import announcing, joining
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
