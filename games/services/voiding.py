"""Void matches: not started, interrupted by too long an outage, or called off by staff.

The stakes go back in the same transaction (finishing.py); the `void` action in the log has the
cause.
"""

from datetime import datetime, timedelta

from accounts.shared.transactions import write_transaction
from games.engine.match.actions import Void
from games.engine.match.state import Phase
from games.models.void_cause import VoidCause
from games.services import outages
from games.services.follow_ups import apply_automatic_actions
from games.services.next_deadline import no_start_at
from games.services.transaction import MatchTransaction
from games.stakes.escrow import Ruling

NO_START_CAUSE = VoidCause.NO_START.value
OUTAGE_CAUSE = VoidCause.OUTAGE.value


def void(tx: MatchTransaction, cause: str) -> None:
    tx.act(lambda at: Void(at_ms=at, cause=cause))
    apply_automatic_actions(tx)


def void_by_staff(public_id: str, ruling: Ruling, now: datetime) -> bool:
    """Call off a running match for credits; return False for any other, and change nothing."""
    with write_transaction():
        tx = MatchTransaction.lock(public_id, now)
        if tx.match.is_finished or not tx.match.policy.is_staked:
            return False
        tx.ruling = ruling
        void(tx, VoidCause.STAFF.value)
        tx.save()
        tx.reschedule()
    return True


def call_off(public_id: str, now: datetime) -> None:
    """Void a running match that another app arranged, in the caller's transaction."""
    tx = MatchTransaction.lock(public_id, now)
    if not tx.match.is_finished:
        void(tx, VoidCause.STAFF.value)
        tx.save()
        tx.reschedule()


def is_no_start(tx: MatchTransaction) -> bool:
    """Return whether a player gave no entropy in time although the site was reachable."""
    time = tx.match.policy.no_start_after
    if time is None or tx.state.phase is not Phase.SEATING:
        return False
    due = no_start_at(tx.match, tx.seats, tx.state)
    return due is not None and tx.now >= due and not _was_out_of_reach(tx, time)


def _was_out_of_reach(tx: MatchTransaction, time: timedelta) -> bool:
    """Return whether an outage that lasts, or ended less than `time` ago, excuses the players.

    Past outages excuse nobody after the match has got the time of `MOST_GIVEN` outages back.
    """
    if outages.is_web_out(tx.now):
        return True
    is_excused = tx.match.outages_given < outages.MOST_GIVEN
    return is_excused and outages.recovered_at(tx.now, time) is not None
