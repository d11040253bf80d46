"""Scenario 3: two joiners, a cancel and the expiry of one announcement at the same moment."""

import random
from collections import Counter
from datetime import timedelta
from itertools import permutations

import pytest
from django.utils import timezone

from accounts import broadcast as news
from accounts.models import User
from accounts.shared.refusals import Refused
from games import broadcast
from games.models import Match, Seat
from lobby.models import Seek
from lobby.services import announcing, ending, expiry, joining
from tests.lobby.factories import announcement
from tests.support.races import THREADS, at_once
from tests.wallet.factories import player, total_of
from wallet.models import Hold
from wallet.selectors import funds_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.both]

OWNER, FIRST, SECOND, CLOCK = range(THREADS)
STAKE = 100
# Every way to give the four calls to the four threads, which start together.
ORDERS = list(permutations(range(THREADS)))


def one_of_four(seek: Seek, users: list[User], order: tuple[int, ...], answers: dict[int, str]):
    """Return a function that each of the four threads calls with its number.

    The joins and the cancel have a time one microsecond before the expiry.
    """

    def act(number: int) -> int:
        role = order[number]
        now = seek.expires_at - timedelta(microseconds=1)
        try:
            if role == OWNER:
                ending.cancel(seek.public_id, users[OWNER], now)
            elif role == CLOCK:
                expiry.settle_due(seek.expires_at)
            else:
                joining.join(seek.public_id, users[role], now)
            answers[role] = ""
        except Refused as refusal:
            answers[role] = refusal.code
        return role

    return act


def judge(seek: Seek, users: list[User], answers: dict[int, str]) -> str:
    """Check that all rows and credits fit one outcome; return "joined" or the seek's state."""
    seek.refresh_from_db()
    joined = [role for role in (FIRST, SECOND) if answers[role] == ""]
    assert seek.state != Seek.State.OPEN
    assert (seek.match is not None) == (len(joined) == 1)
    assert len(joined) <= 1
    paid = {OWNER, *joined} if joined else set()
    for role, user in enumerate(users):
        assert total_of(user) == 1000 - STAKE * (role in paid), (role, answers)
        assert funds_of(user.pk).reserved == 0
        assert Seat.objects.filter(user=user, is_live_stake=True).count() == (role in paid)
    if joined:
        assert answers[OWNER] == "gone"
        assert answers[FIRST + SECOND - joined[0]] == "gone"
        return "joined"
    assert [answers[FIRST], answers[SECOND]] == ["gone", "gone"]
    assert answers[OWNER] == ""  # canceling an expired announcement changes nothing
    return str(seek.state)


@pytest.mark.slow
def test_03_simultaneous_joins_cancel_and_expiry_have_one_winner_and_keep_the_sums(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Messages are not sent: no page listens, and each message would take half a second in a thread.
    for module in (broadcast, news):
        monkeypatch.setattr(module, "send", lambda *message: None)
    random.Random(3).shuffle(ORDERS)
    ends: Counter[str] = Counter()
    for number, order in enumerate(ORDERS):
        users = [player(f"{role}{number:02}") for role in ("owner", "first", "second")]
        seek = announcing.announce(users[OWNER], announcement(stake=STAKE), timezone.now())
        answers: dict[int, str] = {}
        assert at_once(one_of_four(seek, users, order, answers)) == list(range(THREADS))
        ends[judge(seek, users, answers)] += 1
    assert sum(ends.values()) == len(ORDERS)
    assert Match.objects.count() == ends["joined"]
    # Every hold of an owner or a joiner was captured or released.
    assert not Hold.objects.filter(state=Hold.State.OPEN).exists()
    assert Hold.objects.filter(state=Hold.State.CAPTURED).count() == 2 * ends["joined"]
