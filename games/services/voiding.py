"""Matches that count for nothing: not started in time, or the site was away for too long.

The stakes go back in the same transaction (finishing.py); why, is in the log's `void` action.
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
    """Whether a seat has not added to the dice in time, while players could reach the site."""
    time = tx.match.policy.no_start_after
    if time is None or tx.state.phase is not Phase.SEATING:
        return False
    is_late = tx.now - tx.match.created_at >= time
    return is_late and not _was_out_of_reach(tx, time)


def _was_out_of_reach(tx: MatchTransaction, time: timedelta) -> bool:
    """After an outage everybody has the whole `time` to come once more."""
    return outages.is_web_out(tx.now) or outages.recovered_at(tx.now, time) is not None
