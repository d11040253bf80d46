"""Scenario 13: the site restarts during a match for credits."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from accounts.shared.refusals import Refused
from games.engine.match.permissions import on_turn
from games.engine.sides import Side
from games.models import Heartbeat
from games.services import heartbeat
from games.services.deadlines import settle_due
from tests.games.factories import StakeSitting
from tests.wallet.factories import player, total_of

pytestmark = [pytest.mark.django_db, pytest.mark.both]

DOWN = timedelta(seconds=90)  # length of the outage
BONUS_MS = 20_000  # given back beyond the outage, so that players can reconnect
MS = timedelta(milliseconds=1)


def alone(now: datetime) -> None:
    """Recover as the only web process does after a restart: all seats lose their holders."""
    heartbeat.recover(now)


def one_of_several(now: datetime) -> None:
    """Let one web process send its heartbeat, and a second process 300 ms later."""
    heartbeat.beat(now)
    heartbeat.beat(now + 300 * MS)


def flag_at(sitting: StakeSitting) -> datetime:
    at_ms = sitting.state.clock.flag_at_ms()
    assert at_ms is not None
    return sitting.match.created_at + at_ms * MS


def goes_on_at(sitting: StakeSitting, now: datetime) -> bool:
    """Settle deadlines with a running web process; return whether the match goes on."""
    Heartbeat.objects.filter(name=heartbeat.WEB).update(beat_at=now)
    settle_due(now)
    return sitting.state.outcome is None


@pytest.mark.parametrize("comes_back", [alone, one_of_several])
@pytest.mark.parametrize("left_ms", [1, 5_000, 60_000])
def test_13_restart_gives_time_back_and_makes_no_flag_fall(
    comes_back: Callable[[datetime], None], left_ms: int
) -> None:
    sitting = StakeSitting(player("white5"), player("black5"), stake=100).sit().start_game()
    side = on_turn(sitting.state)
    sitting.now = flag_at(sitting) - (left_ms + 60_000) * MS
    sitting.go(side.other)  # absent for 60 of the 90 s that are allowed
    sitting.now = went_down = flag_at(sitting) - left_ms * MS
    heartbeat.beat(went_down)

    sitting.now = came_up = went_down + DOWN
    settle_due(came_up)  # the worker starts before the web process
    with pytest.raises(Refused, match="too_fast"):
        sitting.act_simply()
    assert sitting.state.outcome is None

    comes_back(came_up)
    assert flag_at(sitting) == came_up + (left_ms + BONUS_MS) * MS
    assert goes_on_at(sitting, flag_at(sitting) - MS)
    with pytest.raises(Refused, match="not_absent"):  # the outage does not count as absence
        sitting.sit(side).do("claim", side=side)

    # A player who comes back plays on; a player who does not loses on time.
    if left_ms == 1:
        assert not goes_on_at(sitting, flag_at(sitting))
        assert sitting.state.outcome.winner is side.other
        assert total_of(sitting.users[side.other]) == 1090
    else:
        sitting.now = flag_at(sitting) - MS
        before = sitting.seq
        sitting.act_simply()
        assert sitting.seq > before
        assert {total_of(sitting.users[one]) for one in Side} == {900}
