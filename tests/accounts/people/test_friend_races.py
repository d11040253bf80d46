"""Concurrent requests, answers and blocks leave one consistent friendship, within the limits."""

import pytest

from accounts.models import Friendship
from accounts.people import blocks, friends
from accounts.selectors import are_friends, either_blocks
from accounts.shared.database_clock import CLOCK
from accounts.shared.refusals import Refused
from tests.accounts.factories import member
from tests.support.races import call_together

pytestmark = pytest.mark.django_db(transaction=True)

THREADS = 50


def attempt(action, *args):
    """Return a function that calls `action` and returns its refusal's code, "" on success."""

    def run():
        try:
            action(*args, CLOCK.now())
        except Refused as refusal:
            return refusal.code
        return ""

    return run


@pytest.fixture
def anna():
    return member("anna5")


@pytest.fixture
def boris():
    return member("boris5")


def test_fifty_requests_at_once_are_stored_as_one(anna, boris):
    answers = call_together(*[attempt(friends.ask, anna.pk, boris.pk)] * THREADS)
    assert set(answers) == {""}
    row = Friendship.objects.get()
    assert (row.state, row.asker_id) == (Friendship.State.ASKED, anna.pk)


def test_fifty_requests_from_both_sides_make_one_friendship(anna, boris):
    one, other = attempt(friends.ask, anna.pk, boris.pk), attempt(friends.ask, boris.pk, anna.pk)
    assert set(call_together(*[one, other] * (THREADS // 2))) == {""}
    assert Friendship.objects.get().state == Friendship.State.FRIENDS


def test_either_all_concurrent_accepts_or_the_cancel_succeed(anna, boris):
    friends.ask(anna.pk, boris.pk, CLOCK.now())
    accept = attempt(friends.accept, boris.pk, anna.pk)
    answers = call_together(*[accept] * (THREADS - 1), attempt(friends.cancel, anna.pk, boris.pk))
    accepted, canceled = set(answers[:-1]), answers[-1]
    row = Friendship.objects.get()
    if canceled == "":
        assert (accepted, row.state) == ({"gone"}, Friendship.State.CLOSED)
    else:
        assert (accepted, row.state) == ({""}, Friendship.State.FRIENDS)


def test_blocks_and_requests_together_leave_no_friend_who_is_blocked(anna, boris):
    friends.ask(anna.pk, boris.pk, CLOCK.now())
    accept = attempt(friends.accept, boris.pk, anna.pk)
    ask = attempt(friends.ask, anna.pk, boris.pk)
    block = attempt(blocks.block, boris.pk, anna.pk)
    call_together(*[accept, ask, block] * (THREADS // 3))
    assert either_blocks(anna.pk, boris.pk)
    assert not are_friends(anna.pk, boris.pk)
    assert Friendship.objects.get().state == Friendship.State.CLOSED


def test_the_daily_limit_holds_for_concurrent_requests(anna, monkeypatch):
    monkeypatch.setattr(friends, "MOST_ASKED", 3)
    others = [member(f"other{number}") for number in range(8)]
    answers = call_together(*[attempt(friends.ask, anna.pk, other.pk) for other in others])
    assert sorted(answers) == [""] * 3 + ["many_requests"] * 5
