"""Measured lag is not charged, up to a second for each action and within a quota."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.shared.refusals import Refused
from games.engine.match.permissions import on_turn
from games.engine.match.state import MatchCause, Phase
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import GRACE_START_MS, Seat
from games.services.deadlines import settle_due
from games.services.grace import QUOTA_MS, REFILL_MS
from tests.games.factories import Sitting, StakeSitting, assert_log_folds, some_play
from tests.wallet.factories import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting() -> StakeSitting:
    return StakeSitting(player("white5"), player("black5"), length=25).sit().start_game()


def to_act(sitting: StakeSitting) -> Side:
    side = on_turn(sitting.state)
    assert side is not None
    return side


def lag(sitting: StakeSitting, side: Side, ms: int) -> None:
    """Set the lag that the server measures on the side's connection from now on."""
    sitting.actors[side] = replace(sitting.actors[side], lag_ms=ms)


def act(sitting: StakeSitting) -> int:
    """Roll or play for the side to act; return the grace that is logged with the action."""
    state = sitting.state
    side = to_act(sitting)
    if state.phase is Phase.TO_ROLL:
        done = sitting.do("roll", side=side)
    else:
        done = sitting.do("play", side=side, d=some_play(state))
    return int(sitting.match.actions.get(seq=done.seq).data.get("grace_ms", 0))


def seat(sitting: StakeSitting, side: Side) -> Seat:
    return sitting.match.seats.get(side=side.value)


def go_to_flag(sitting: StakeSitting, ms: int) -> None:
    """Set the time to `ms` after the moment at which the running clock runs out."""
    flag_at_ms = sitting.state.clock.flag_at_ms()
    sitting.now = sitting.match.created_at + timedelta(milliseconds=flag_at_ms + ms)


def reserve(sitting: StakeSitting, side: Side) -> int:
    return sitting.state.clock.reserve_ms[side]


def test_measured_lag_is_not_charged(sitting: StakeSitting) -> None:
    side = to_act(sitting)
    lag(sitting, side, 400)
    before = reserve(sitting, side)
    sitting.pass_time(20_000 + 1_000)
    assert act(sitting) == 400
    assert reserve(sitting, side) == before - 600
    assert_log_folds(sitting.match)


def test_all_time_is_charged_without_measured_lag(sitting: StakeSitting) -> None:
    side = to_act(sitting)
    before = reserve(sitting, side)
    sitting.pass_time(20_000 + 1_000)
    assert act(sitting) == 0
    assert reserve(sitting, side) == before - 1_000


def test_action_sent_before_the_time_ran_out_is_accepted(sitting: StakeSitting) -> None:
    lag(sitting, to_act(sitting), 300)
    go_to_flag(sitting, 299)
    assert act(sitting) == 300
    assert sitting.state.outcome is None
    assert_log_folds(sitting.match)


def test_action_sent_after_the_time_ran_out_is_refused(sitting: StakeSitting) -> None:
    side = to_act(sitting)
    lag(sitting, side, 300)
    go_to_flag(sitting, 300)
    with pytest.raises(Refused, match="out_of_time"):
        act(sitting)
    assert sitting.state.outcome.winner is side.other


def test_grace_is_at_most_a_second(sitting: StakeSitting) -> None:
    lag(sitting, to_act(sitting), 2_000)
    go_to_flag(sitting, 1_000)
    with pytest.raises(Refused, match="out_of_time"):
        act(sitting)
    assert_log_folds(sitting.match)


def test_grace_is_at_most_the_time_passed(sitting: StakeSitting) -> None:
    lag(sitting, to_act(sitting), 500)
    sitting.pass_time(120)
    assert act(sitting) == 120


def test_flag_falls_exactly_after_the_grace(sitting: StakeSitting) -> None:
    side = to_act(sitting)
    lag(sitting, side, 300)
    act(sitting)  # stores the lag of this connection
    while to_act(sitting) is not side:
        act(sitting)
    go_to_flag(sitting, 299)
    settle_due(sitting.now)
    assert sitting.state.outcome is None
    sitting.match.refresh_from_db()
    assert sitting.match.wake_at == sitting.now + timedelta(milliseconds=1)
    sitting.pass_time(1)
    settle_due(sitting.now)
    assert sitting.state.outcome.cause is MatchCause.FLAG
    assert_log_folds(sitting.match)


def test_player_who_delays_on_purpose_gains_at_most_the_quota(sitting: StakeSitting) -> None:
    cheat = to_act(sitting)
    lag(sitting, cheat, 1_000)
    gained_ms = count = 0
    while count < 30 and sitting.state.outcome is None and sitting.state.phase in (
        Phase.TO_ROLL, Phase.TO_PLAY,
    ):  # fmt: skip
        is_cheats_turn = to_act(sitting) is cheat
        sitting.pass_time(5_000)
        grace_ms = act(sitting)
        assert grace_ms <= 1_000
        assert is_cheats_turn or grace_ms == 0
        gained_ms += grace_ms
        count += is_cheats_turn
    assert count == 30
    assert GRACE_START_MS < gained_ms <= GRACE_START_MS + count * REFILL_MS
    assert seat(sitting, cheat).grace_left_ms <= 2 * REFILL_MS
    assert_log_folds(sitting.match)


def test_reconnecting_does_not_restore_the_quota(sitting: StakeSitting) -> None:
    side = to_act(sitting)
    for _ in range(3):
        lag(sitting, side, 1_000)
        sitting.pass_time(5_000)
        act(sitting)
        while to_act(sitting) is not side:
            act(sitting)
    before = seat(sitting, side).grace_left_ms
    assert before < GRACE_START_MS
    sitting.go(side)
    sitting.sit(side)
    assert seat(sitting, side).grace_left_ms == before


def test_unused_quota_grows_to_its_maximum(sitting: StakeSitting) -> None:
    side = to_act(sitting)
    lag(sitting, side, 10)
    for _ in range(40):
        sitting.pass_time(100)
        act(sitting)
        if sitting.state.phase not in (Phase.TO_ROLL, Phase.TO_PLAY):
            break
    assert seat(sitting, side).grace_left_ms == QUOTA_MS


def test_lag_is_stored_again_only_if_it_changes_noticeably(sitting: StakeSitting) -> None:
    side = to_act(sitting)
    lags = []  # the seat's lag before and after each action, and whether the action wrote it
    for ms in (83, 83, 84, 86, 88, 92):
        lag(sitting, side, ms)
        Seat.objects.filter(match=sitting.match).update(grace_left_ms=QUOTA_MS)
        sitting.pass_time(100)
        before = Seat.objects.get(match=sitting.match, side=side.value).lag_ms
        with CaptureQueriesContext(connection) as queries:
            act(sitting)
        is_written = any('"lag_ms" = ' in query["sql"] for query in queries)
        lags.append((before, seat(sitting, side).lag_ms, is_written))
        while to_act(sitting) is not side:
            act(sitting)
    assert lags == [(0, 80, True), *[(80, 80, False)] * 4, (80, 90, True)]


def test_lag_of_a_passive_tab_is_ignored(sitting: StakeSitting) -> None:
    side = to_act(sitting)
    old = replace(sitting.actors[side], lag_ms=900)
    sitting.sit(side)
    sitting.actors[side], mine = old, sitting.actors[side]
    go_to_flag(sitting, -1)
    with pytest.raises(Refused, match="passive"):
        act(sitting)
    sitting.actors[side] = mine
    assert seat(sitting, side).lag_ms == 0
    assert act(sitting) == 0


def test_training_match_logs_no_grace() -> None:
    sitting = Sitting(Rules.of("short", length=1, delay_ms=10_000)).sit().start_game()
    for _ in range(6):
        sitting.pass_time(500)
        sitting.act_simply()
    assert not [row for row in sitting.match.actions.all() if "grace_ms" in row.data]
    assert sitting.match.seats.get(side="white").grace_left_ms == GRACE_START_MS
