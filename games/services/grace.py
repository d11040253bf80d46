"""Lag that is forgiven: at most a second for an action, and no more than a quota that grows back.

Each timed action of a player may be late by the delay of his line. Who delays on purpose what the
server measures (games/live/lag.py) wins the quota and no more.
"""

from dataclasses import replace

from games.engine.match.actions import MAX_GRACE_MS, Action, TimedAction
from games.engine.match.state import MatchState
from games.models import Seat

# What comes back with each timed action, and the most that can be saved up.
REFILL_MS = 500
QUOTA_MS = 7000
# Measures are rounded down to steps, so that a steady line writes nothing.
LAG_STEP_MS = 10


def record_lag(seat: Seat, lag_ms: int) -> None:
    """Remember the line's delay as it is now."""
    seat.lag_ms = lag_ms // LAG_STEP_MS * LAG_STEP_MS


def allowance_ms(seat: Seat) -> int:
    """How late the seat's next action may be."""
    return min(seat.lag_ms, seat.grace_left_ms, MAX_GRACE_MS)


def with_grace(state: MatchState, seat: Seat, action: Action) -> Action:
    """The action with its grace, if it answers to a clock that runs for the seat."""
    clock = state.clock
    if not isinstance(action, TimedAction) or clock is None or clock.is_paused:
        return action
    if clock.running is not seat.engine_side:
        return action
    used_ms = min(allowance_ms(seat), max(0, action.at_ms - clock.since_ms))
    return replace(action, grace_ms=used_ms) if used_ms else action


def charge(seat: Seat, action: Action, stored_lag_ms: int) -> None:
    """Charge the quota with what the seat's action was forgiven.

    Written only when something changed; a line without delay needs no quota.
    """
    if not isinstance(action, TimedAction) or not (seat.lag_ms or stored_lag_ms):
        return
    left_ms = min(QUOTA_MS, seat.grace_left_ms - action.grace_ms + REFILL_MS)
    if (seat.lag_ms, left_ms) != (stored_lag_ms, seat.grace_left_ms):
        seat.grace_left_ms = left_ms
        seat.save(update_fields=["lag_ms", "grace_left_ms"])
