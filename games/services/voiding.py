"""Void matches: not started in time, or interrupted by too long an outage.

The stakes go back in the same transaction (finishing.py); the `void` action in the log has the
cause.
"""

from datetime import timedelta

from games.engine.match.actions import Void
from games.engine.match.state import Phase
from games.services import outages
from games.services.follow_ups import apply_automatic_actions
from games.services.transaction import MatchTransaction

NO_START_CAUSE = "no_start"
OUTAGE_CAUSE = "outage"


def void(tx: MatchTransaction, cause: str) -> None:
    tx.act(lambda at: Void(at_ms=at, cause=cause))
    apply_automatic_actions(tx)


def is_no_start(tx: MatchTransaction) -> bool:
    """Return whether a player gave no entropy in time although the site was reachable."""
    time = tx.match.policy.no_start_after
    if time is None or tx.state.phase is not Phase.SEATING:
        return False
    is_late = tx.now - tx.match.created_at >= time
    return is_late and not _was_out_of_reach(tx, time)


def _was_out_of_reach(tx: MatchTransaction, time: timedelta) -> bool:
    """Return whether an outage came in between; after one, all players have `time` again."""
    return outages.is_web_out(tx.now) or outages.recovered_at(tx.now, time) is not None
