"""Matches that count for nothing: not started in time, or the site was away for too long.

The stakes go back in the same transaction (finishing.py); why, is in the log's `void` action.
"""

from datetime import timedelta

from games.engine.match.actions import Void
from games.engine.match.state import Phase
from games.services import outages
from games.services.following import follow_up
from games.services.table import Table

NO_START_CAUSE = "no_start"
OUTAGE_CAUSE = "outage"


def void(table: Table, cause: str) -> None:
    table.act(lambda at: Void(at_ms=at, cause=cause))
    follow_up(table)


def is_no_start(table: Table) -> bool:
    """Whether a seat has not added to the dice in time, while players could reach the site."""
    time = table.match.policy.no_start_after
    if time is None or table.state.phase is not Phase.SEATING:
        return False
    is_late = table.now - table.match.created_at >= time
    return is_late and not _was_out_of_reach(table, time)


def _was_out_of_reach(table: Table, time: timedelta) -> bool:
    """After an outage everybody has the whole `time` to come once more."""
    return outages.is_web_out(table.now) or outages.came_back(table.now, time) is not None
