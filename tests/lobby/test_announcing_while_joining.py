"""A member announces a game in one tab while joining a game or a rematch in another tab."""

from collections.abc import Callable
from functools import partial
from threading import Thread

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games.models import Match
from games.selectors import has_live_stake
from games.signals import match_agreed
from lobby.models import Seek
from lobby.services import announcing, joining
from tests.lobby.factories import announcement
from tests.wallet.factories import player
from wallet.selectors import funds_of

pytestmark = pytest.mark.django_db(transaction=True)

# Time for the second call to reach the lock of the first.
LOCK_WAIT_S = 0.3


@pytest.fixture
def member() -> User:
    return player("member")


def one_after_the_other(first: Callable[[], object], second: Callable[[], object]) -> str:
    """Start the second call before the first commits; return its refusal's code or ""."""
    codes = []

    def do() -> None:
        try:
            second()
        except Refused as refusal:
            codes.append(refusal.code)
        connection.close()

    other = Thread(target=do)
    with write_transaction():
        first()
        other.start()
        other.join(LOCK_WAIT_S)
    other.join()
    return codes[0] if codes else ""


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
            match_agreed.send(Match, user_ids=[member.pk, other.pk], now=now)

    announce = partial(announcing.announce, member, announcement(), now)
    assert one_after_the_other(announce, agree) == ""
    assert Seek.objects.get(owner=member).state == Seek.State.CANCELED
