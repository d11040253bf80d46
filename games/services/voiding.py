"""Matches that count for nothing: not started in time, or the site was away for too long.

The stakes go back in the same transaction (finishing.py); why, is in the log's `void` action.
"""

from datetime import timedelta

from games.engine.actions import Void
from games.engine.state import Phase
from games.models import Match
from games.services import outages
from games.services.following import follow_up
from games.services.table import Table
from games.services.waking import NO_START

NO_START_CAUSE = "no_start"
OUTAGE_CAUSE = "outage"
# An outage of the site that no match for credits goes on after.
LONGEST_OUTAGE = timedelta(minutes=5)


def void(table: Table, cause: str) -> None:
    table.act(lambda at: Void(at_ms=at, cause=cause))
    follow_up(table)


def is_no_start(table: Table) -> bool:
    """Whether a seat has not added to the dice in time, while players could reach the site."""
    is_seating = table.state.phase is Phase.SEATING and table.match.kind != Match.Kind.TRAINING
    is_late = table.now - table.match.created_at >= NO_START
    return is_seating and is_late and not _was_out_of_reach(table)


def _was_out_of_reach(table: Table) -> bool:
    """After an outage everybody has the whole time to come once more."""
    return outages.is_web_out(table.now) or outages.came_back(table.now, NO_START) is not None
