"""Settle due deadlines of matches: flags, next games, and matches that have not started in time.

Any number of workers may do this at the same time.
"""

import logging
from datetime import datetime, timedelta

from django.db.models import QuerySet

from accounts.shared.logs.ids import about_match
from accounts.shared.transactions import write_transaction
from games.engine.match.permissions import is_paused
from games.engine.match.state import Phase
from games.models import Match
from games.services.actions import settle_flag
from games.services.follow_ups import apply_automatic_actions, start_next_game
from games.services.transaction import MatchTransaction
from games.services.voiding import NO_START_CAUSE, is_no_start, void

logger = logging.getLogger(__name__)
# Matches settled in one call.
BATCH = 50
# Delay before a match that raised an error is tried again.
POSTPONE_BY = timedelta(minutes=1)
# Delay before a match is tried again that may not be settled yet: its clock is owed time, or an
# outage excuses its players.
RETRY_UNSETTLED_AFTER = timedelta(seconds=1)
# Delay before a match locked by another process is tried again: that process settles it, or dies.
RETRY_LOCKED_AFTER = timedelta(milliseconds=50)


def waiting() -> QuerySet[Match]:
    """Return matches with a deadline, the earliest first, except those that wait for a bot."""
    return Match.objects.filter(wake_at__isnull=False, awaits_bot=False).order_by("wake_at")


def settle_due(now: datetime) -> datetime | None:
    """Settle the due matches; return the time of the next deadline, or None."""
    due = list(waiting().filter(wake_at__lte=now).values_list("public_id", flat=True)[:BATCH])
    locked = 0
    for public_id in due:
        with about_match(public_id):
            try:
                locked += not settle(public_id, now)
            except Exception:  # one match must not stop the deadlines of all others
                logger.exception("deadline not settled")
                _postpone(public_id, now)
    if locked < len(due) == BATCH:  # more may be due, and this call made progress
        return now
    following = waiting().filter(wake_at__gt=now).values_list("wake_at", flat=True).first()
    if locked:
        return min(following or now + RETRY_LOCKED_AFTER, now + RETRY_LOCKED_AFTER)
    return following


def settle(public_id: str, now: datetime) -> bool:
    """Settle one match, whose deadline is recomputed under its row lock.

    Return False when another process holds the row now or has settled it already.
    """
    with write_transaction():
        rows = Match.objects.select_for_update(no_key=True, skip_locked=True)
        match = rows.filter(public_id=public_id, wake_at__lte=now).first()
        if match is None:
            return False
        tx = MatchTransaction.of(match, now)
        if is_no_start(tx):
            void(tx, NO_START_CAUSE)
        elif settle_flag(tx) is None and _is_next_game_due(tx):
            start_next_game(tx)
            apply_automatic_actions(tx)
        tx.save()
        tx.reschedule(retry_after=RETRY_UNSETTLED_AFTER)
    return True


def _postpone(public_id: str, now: datetime) -> None:
    """Postpone a match that failed to settle, so that it is not retried every round.

    A match that another process has settled meanwhile keeps its new deadline.
    """
    with write_transaction():
        due = Match.objects.filter(public_id=public_id, wake_at__lte=now, awaits_bot=False)
        due.update(wake_at=now + POSTPONE_BY)


def _is_next_game_due(tx: MatchTransaction) -> bool:
    wake_at = tx.match.wake_at
    is_between = tx.state.phase is Phase.BETWEEN_GAMES and not is_paused(tx.state)
    return is_between and wake_at is not None and wake_at <= tx.now
