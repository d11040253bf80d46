"""Forgive network lag: at most a second for an action, within a quota that refills.

Each timed action of a player may be late by the lag of their connection. A client that delays on
purpose what the server measures (games/live/lag.py) gains at most the quota.
"""

from dataclasses import replace

from games.engine.match.actions import MAX_GRACE_MS, Action, TimedAction
from games.engine.match.state import MatchState
from games.models import Seat

# Milliseconds that each timed action adds to the quota, and the most that it holds.
REFILL_MS = 500
QUOTA_MS = 7000
# Lag is rounded down to a multiple of this, so that a steady connection causes no writes.
LAG_STEP_MS = 10


def record_lag(seat: Seat, lag_ms: int) -> None:
    """Set the seat's lag, rounded down to steps; the caller saves the seat."""
    seat.lag_ms = lag_ms // LAG_STEP_MS * LAG_STEP_MS


def allowance_ms(seat: Seat) -> int:
    """Return how late the seat's next action may be, in milliseconds."""
    return min(seat.lag_ms, seat.grace_left_ms, MAX_GRACE_MS)


def with_grace(state: MatchState, seat: Seat, action: Action) -> Action:
    """Return the action with its grace, if a clock runs for the seat."""
    clock = state.clock
    if not isinstance(action, TimedAction) or clock is None or clock.is_paused:
        return action
    if clock.running is not seat.engine_side:
        return action
    used_ms = min(allowance_ms(seat), max(0, action.at_ms - clock.since_ms))
    return replace(action, grace_ms=used_ms) if used_ms else action


def charge(seat: Seat, action: Action, stored_lag_ms: int) -> bool:
    """Take the grace of the seat's action from its quota, then refill the quota.

    Return whether the seat's lag or quota changed and must be saved; a connection without lag
    changes neither.
    """
    if not isinstance(action, TimedAction) or not (seat.lag_ms or stored_lag_ms):
        return False
    stored = stored_lag_ms, seat.grace_left_ms
    seat.grace_left_ms = min(QUOTA_MS, seat.grace_left_ms - action.grace_ms + REFILL_MS)
    return (seat.lag_ms, seat.grace_left_ms) != stored
