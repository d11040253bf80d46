"""Who lets opponents down waits: longer each time, forgotten in days, lifted by staff."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.models import User
from games.engine.predicates import on_turn
from games.engine.sides import Side
from games.services.due import settle_due
from lobby.conduct import Fault, barred_until
from lobby.models import Strike
from lobby.selectors import pause_of
from lobby.services import seeks, strikes
from lobby.services.refusals import Refused
from tests.lobby.factories import StakeSitting, announcement, player

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def faults(*ages: timedelta, weight: float = 1.0) -> list[Fault]:
    return [Fault(NOON - age, weight) for age in ages]


def test_the_first_fault_is_a_warning():
    assert barred_until(faults(MINUTE), NOON) is None


@pytest.mark.parametrize(
    ("count", "pause"), [(2, 15 * MINUTE), (3, HOUR), (4, 4 * HOUR), (5, 24 * HOUR)]
)
def test_each_further_fault_makes_the_pause_longer(count, pause):
    assert barred_until(faults(*[0 * MINUTE] * count), NOON) == NOON + pause


def test_faults_are_forgotten_in_days():
    old = [timedelta(days=3)] * 3
    assert barred_until(faults(0 * MINUTE, *old), NOON) is None


def test_an_honest_loss_on_time_weighs_half():
    assert barred_until(faults(0 * MINUTE, 0 * MINUTE, weight=0.5), NOON) is None
    assert barred_until(faults(*[0 * MINUTE] * 3, weight=0.5), NOON) == NOON + 15 * MINUTE


def kinds(user: User) -> list[str]:
    return [strike.kind for strike in Strike.objects.filter(user=user)]


@pytest.mark.django_db
def test_who_did_not_start_has_a_strike_and_who_waited_has_none():
    white, black = player("white5"), player("black5")
    sitting = StakeSitting(white, black).sit(Side.WHITE)
    sitting.do("entropy_hash", side=Side.WHITE, hash="0" * 64)
    sitting.pass_time(30_000)
    settle_due(sitting.now)
    assert (kinds(white), kinds(black)) == ([], ["NO_START"])


@pytest.mark.django_db
def test_who_was_claimed_against_walked_away():
    white, black = player("white5"), player("black5")
    sitting = StakeSitting(white, black).sit().shake()
    sitting.go(Side.BLACK)
    sitting.pass_time(90_000)
    sitting.do("claim", side=Side.WHITE)
    assert (kinds(white), kinds(black)) == ([], ["WALKED_AWAY"])


@pytest.mark.django_db
@pytest.mark.parametrize(("is_there", "kind"), [(True, "STALLED"), (False, "WALKED_AWAY")])
def test_time_over_is_stalling_in_the_seat_and_walking_away_out_of_it(is_there, kind):
    users = {Side.WHITE: player("white5"), Side.BLACK: player("black5")}
    sitting = StakeSitting(users[Side.WHITE], users[Side.BLACK]).sit().shake()
    side = on_turn(sitting.state)
    if not is_there:
        sitting.go(side)
    sitting.pass_time(10 * 60_000)
    settle_due(sitting.now)
    assert (kinds(users[side]), kinds(users[side.other])) == ([kind], [])


@pytest.mark.django_db
def test_a_paused_member_neither_announces_nor_joins_until_staff_lifts_it():
    white, black = player("white5"), player("black5")
    sitting = StakeSitting(white, black).sit().shake()
    sitting.do("resign_match", side=Side.WHITE)
    older = StakeSitting(white, black)
    older.pass_time(30_000)
    settle_due(older.now)
    for match in (sitting.match, older.match):
        Strike.objects.update_or_create(
            user=white, match=match, defaults={"kind": "NO_START", "created_at": older.now}
        )
    until, latest = pause_of(white.pk, older.now)
    assert until == older.now + timedelta(minutes=15)
    with pytest.raises(Refused, match="paused"):
        seeks.announce(white, announcement(), older.now)
    strikes.lift(latest.pk, player("staff5"), older.now)
    assert seeks.announce(white, announcement(), older.now)
