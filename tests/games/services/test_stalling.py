"""Players who stall the site gain no time and cannot make a match void."""

from datetime import timedelta

import pytest

from accounts.shared.refusals import Refused
from games.engine.match.permissions import on_turn
from games.engine.match.state import MatchCause
from games.engine.sides import Side
from games.models import Heartbeat, Interruption
from games.services import heartbeat, interruptions
from games.services.deadlines import settle_due
from games.services.heartbeat import WEB, WORKER
from games.services.outages import MOST_GIVEN, Outage
from tests.accounts.factories import staff
from tests.games.factories import ExhibitionSitting, PairSitting, StakeSitting, assert_log_folds
from tests.wallet.factories import player, total_of

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def sitting() -> StakeSitting:
    """Return a match with a running clock, just after heartbeats of web and worker."""
    sitting = StakeSitting(player("white5"), player("black5"), length=5).sit().start_game()
    for name in (WEB, WORKER):
        heartbeat.beat(sitting.now, name)
    return sitting


def ms_given_back(sitting: StakeSitting) -> list[int]:
    """Return the milliseconds that were given back after each outage, in order."""
    rows = sitting.match.actions.filter(verb="credit").order_by("seq")
    return [row.data["ms"] for row in rows]


def act(sitting: PairSitting) -> None:
    sitting.act_simply()
    while on_turn(sitting.state) is None:
        sitting.act_simply()


def come_back(sitting: StakeSitting, after: timedelta) -> None:
    """Let the web processes be silent for `after` while the worker works, then send a heartbeat."""
    Heartbeat.objects.filter(name=WORKER).update(beat_at=sitting.now + after)
    sitting.now += after
    heartbeat.beat(sitting.now)


def test_late_heartbeat_while_players_move_gives_no_time_back(sitting: StakeSitting) -> None:
    for _ in range(16):
        sitting.now += 2 * SECOND
        act(sitting)
    heartbeat.beat(sitting.now)
    assert ms_given_back(sitting) == []
    assert sitting.match.outages_given == 0


def test_flags_fall_at_once_after_a_late_heartbeat_that_was_no_outage(
    sitting: StakeSitting,
) -> None:
    for _ in range(4):
        sitting.now += 4 * SECOND
        act(sitting)
    heartbeat.beat(sitting.now)
    clock = sitting.state.clock
    assert clock is not None
    sitting.now = sitting.match.created_at + timedelta(milliseconds=clock.flag_at_ms() or 0)
    sitting.now += 30 * SECOND
    Heartbeat.objects.filter(name=WEB).update(beat_at=sitting.now)
    settle_due(sitting.now)
    assert sitting.state.outcome is not None
    assert sitting.state.outcome.cause is MatchCause.FLAG


def test_only_the_time_without_any_activity_is_given_back(sitting: StakeSitting) -> None:
    """A command may arrive just before the first heartbeat after an outage."""
    other = StakeSitting(player("white6"), player("black6"), now=sitting.now).sit()
    sitting.now = other.now = sitting.now + 15 * SECOND
    other.do("entropy_hash", hash="0" * 64)
    sitting.now += SECOND
    heartbeat.beat(sitting.now)
    assert ms_given_back(sitting) == [15_000 + heartbeat.EXTRA_CREDIT_MS]


def test_bots_that_play_on_do_not_hide_an_outage(sitting: StakeSitting) -> None:
    bots = ExhibitionSitting(now=sitting.now)
    for _ in range(30):
        sitting.now = bots.now = sitting.now + SECOND
        act(bots)
    heartbeat.beat(sitting.now)
    assert ms_given_back(sitting) == [30_000 + heartbeat.EXTRA_CREDIT_MS]


def test_time_that_is_given_back_late_hides_no_command_from_the_next_heartbeat(
    sitting: StakeSitting,
) -> None:
    """Time given back is dated to the end of the outage, even if it is stored after a command."""
    other = StakeSitting(player("white6"), player("black6"), now=sitting.now).sit()
    found = list[Outage]()
    sitting.now += MINUTE
    heartbeat.beat(sitting.now, pass_on=found.append)
    other.now = sitting.now + 4 * SECOND
    other.do("entropy_hash", hash="0" * 64)
    heartbeat.give_back(found[0])
    sitting.now += 8 * SECOND
    heartbeat.beat(sitting.now)
    assert ms_given_back(sitting) == [60_000 + heartbeat.EXTRA_CREDIT_MS]


def reserve_of(sitting: StakeSitting, side: Side) -> int:
    clock = sitting.state.clock
    assert clock is not None
    return clock.reserve_ms[side]


@pytest.mark.parametrize("has_sent_heartbeat", [False, True])
def test_command_waits_until_the_time_of_the_outage_is_given_back(
    sitting: StakeSitting, has_sent_heartbeat: bool
) -> None:
    side = on_turn(sitting.state)
    assert side is not None
    before, seq, found = reserve_of(sitting, side), sitting.seq, list[Outage]()
    sitting.now += MINUTE
    if has_sent_heartbeat:
        heartbeat.beat(sitting.now, pass_on=found.append)
    with pytest.raises(Refused, match="too_fast"):
        act(sitting)
    assert sitting.seq == seq
    if not has_sent_heartbeat:
        heartbeat.beat(sitting.now, pass_on=found.append)
    heartbeat.give_back(found[0])
    act(sitting)
    assert reserve_of(sitting, side) == before
    assert_log_folds(sitting.match)


def test_command_waits_at_most_ten_seconds_for_time_to_be_given_back(sitting: StakeSitting) -> None:
    sitting.now += MINUTE
    heartbeat.beat(sitting.now, pass_on=lambda outage: None)
    sitting.now += 9 * SECOND
    Heartbeat.objects.filter(name=WEB).update(beat_at=sitting.now)
    with pytest.raises(Refused, match="too_fast"):
        act(sitting)
    seq = sitting.seq
    sitting.now += SECOND
    act(sitting)
    assert sitting.seq > seq


def test_site_whose_heartbeats_fail_goes_on_playing(sitting: StakeSitting) -> None:
    sitting.now += MINUTE
    for seconds in (0, 9):
        sitting.now += seconds * SECOND
        with pytest.raises(Refused, match="too_fast"):
            act(sitting)
    seq = sitting.seq
    sitting.now += SECOND
    act(sitting)
    assert sitting.seq > seq


def test_time_is_given_back_only_a_few_times_in_a_match(sitting: StakeSitting) -> None:
    side = on_turn(sitting.state)
    assert side is not None
    sitting.go(side.other)
    left_at = sitting.now
    for _ in range(MOST_GIVEN + 3):
        come_back(sitting, 6 * SECOND)
    assert ms_given_back(sitting) == [26_000] * MOST_GIVEN + [0] * 3
    seat = sitting.match.seats.get(side=side.other.value)
    assert seat.absence_at == left_at + MOST_GIVEN * 26 * SECOND
    assert_log_folds(sitting.match)


def test_match_that_gets_no_more_time_back_does_not_wait_for_it(sitting: StakeSitting) -> None:
    for _ in range(MOST_GIVEN):
        come_back(sitting, 6 * SECOND)
    clock = sitting.state.clock
    assert clock is not None
    sitting.now = sitting.match.created_at + timedelta(milliseconds=clock.flag_at_ms() or 0)
    Heartbeat.objects.update(beat_at=sitting.now)
    come_back(sitting, 10 * SECOND)
    settle_due(sitting.now)
    assert sitting.state.outcome is not None
    assert sitting.state.outcome.cause is MatchCause.FLAG


def test_match_that_gets_no_more_time_is_listed_once_for_staff(sitting: StakeSitting) -> None:
    for _ in range(MOST_GIVEN):
        come_back(sitting, 6 * SECOND)
    assert not Interruption.objects.exists()
    for _ in range(2):
        come_back(sitting, 6 * SECOND)
    assert [each.ended_at for each in Interruption.objects.all()] == [sitting.now]


def test_long_silence_of_web_processes_alone_does_not_void_a_match(sitting: StakeSitting) -> None:
    come_back(sitting, 6 * MINUTE)
    assert sitting.state.outcome is None
    assert ms_given_back(sitting) == [6 * 60_000 + heartbeat.EXTRA_CREDIT_MS]
    assert [each.match for each in Interruption.objects.all()] == [sitting.match]


def test_staff_void_an_interrupted_match_with_full_refunds(sitting: StakeSitting) -> None:
    come_back(sitting, 6 * MINUTE)
    boss = staff("boss12345")
    interruption = Interruption.objects.get()
    assert interruptions.confirm(interruption, boss, sitting.now + SECOND)
    outcome = sitting.state.outcome
    assert outcome is not None
    assert outcome.cause is MatchCause.VOID
    assert [total_of(user) for user in sitting.users.values()] == [1000, 1000]
    assert sitting.match.actions.get(verb="void").data["cause"] == "outage"
    assert not interruptions.confirm(interruption, boss, sitting.now + 2 * SECOND)
    interruption.refresh_from_db()
    assert (interruption.voided_by, interruption.voided_at) == (boss, sitting.now + SECOND)
    assert_log_folds(sitting.match)


def test_staff_cannot_void_an_interrupted_match_that_has_ended(sitting: StakeSitting) -> None:
    come_back(sitting, 6 * MINUTE)
    side = on_turn(sitting.state)
    assert side is not None
    sitting.do("resign_match", side=side)
    assert not interruptions.confirm(Interruption.objects.get(), staff("boss12345"), sitting.now)
    assert sitting.state.outcome is not None
    assert sitting.state.outcome.winner is side.other


@pytest.mark.parametrize("back_before_s", [0, 3])
def test_match_is_void_when_every_process_was_silent(
    sitting: StakeSitting, back_before_s: int
) -> None:
    """The match is void even if the worker comes back shortly before the web processes."""
    sitting.now += 6 * MINUTE
    heartbeat.beat(sitting.now - back_before_s * SECOND, WORKER)
    heartbeat.beat(sitting.now)
    assert sitting.state.outcome is not None
    assert sitting.state.outcome.cause is MatchCause.VOID
    assert not Interruption.objects.exists()


def test_silence_of_worker_and_web_at_different_times_does_not_void_a_match(
    sitting: StakeSitting,
) -> None:
    begun = sitting.now
    heartbeat.beat(begun + 3 * MINUTE, WORKER)  # silent for 3 minutes, then at work for 3
    Heartbeat.objects.filter(name=WORKER).update(beat_at=begun + 6 * MINUTE)
    sitting.now = begun + 6 * MINUTE
    heartbeat.beat(sitting.now)
    assert sitting.state.outcome is None
    assert Interruption.objects.exists()


def test_process_that_starts_beside_another_gives_no_time_back(sitting: StakeSitting) -> None:
    seq = sitting.seq
    started: list[str] = []
    now = sitting.now + SECOND
    assert not heartbeat.recover(now, lambda: started.append("pulse"), may_others_serve=True)
    assert started == ["pulse"]
    assert sitting.seq == seq
    assert sitting.match.seats.filter(holder__isnull=False).count() == 2


def test_restarts_of_the_site_give_time_back_only_a_few_times_in_a_match(
    sitting: StakeSitting,
) -> None:
    for _ in range(MOST_GIVEN + 2):
        sitting.now += 2 * SECOND
        heartbeat.recover(sitting.now)
    assert ms_given_back(sitting) == [22_000] * MOST_GIVEN + [0] * 2
