"""Heartbeats of processes, and time given back after an outage of the site.

Processes write a row of their kind each second. A gap in the web processes' heartbeats is an
outage, whether they were dead or the machine slept; running clocks get its time back. A silent
worker is not an outage: its own row shows whether deadlines are kept, and whether a worker was
alive during an outage.
"""

import logging
from collections.abc import Callable, Collection
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.shared.logs.ids import about_match
from accounts.shared.transactions import write_transaction
from games.engine.match.actions import Credit
from games.models import Heartbeat, Interruption, Match
from games.services.outages import (
    MOST_GIVEN,
    OUTAGE,
    RECOVERED,
    WEB,
    WORKER,
    WORKER_BACK,
    WORKER_GONE,
    Outage,
    find_last_beat,
    find_outage,
)
from games.services.seats import empty_seats, pause_clock
from games.services.transaction import MatchTransaction
from games.services.voiding import OUTAGE_CAUSE, void

__all__ = ["WEB", "WORKER", "beat", "beat_again", "find_last_beat", "give_back", "recover"]

logger = logging.getLogger(__name__)

# Added to the time given back, so that players can reconnect.
EXTRA_CREDIT_MS = 20_000
_MS = timedelta(milliseconds=1)


def beat(now: datetime, name: str = WEB, pass_on: Callable[[Outage], object] | None = None) -> None:
    """Write a heartbeat: `WEB` for a web process, `WORKER` for the loop that keeps deadlines.

    The first web process to write after an outage gives the time back; a conditional update picks
    that process. `pass_on`, if given, is called with the outage instead of `give_back`: it must not
    block, because a thread that gives time back writes no heartbeats and causes the next outage.
    """
    outage = _write_beat(name, find_last_beat(name), now)[1]
    if outage is not None:
        (pass_on or give_back)(outage)


def beat_again(now: datetime, names: Collection[str], last: datetime) -> bool:
    """Write the heartbeats `names` in one statement; `last` is this process's previous one.

    Return False if another process has written one since, or if an outage lies between. Then the
    caller has to call `beat`.
    """
    if now - last > OUTAGE:
        return False
    with write_transaction():
        rows = Heartbeat.objects.filter(name__in=names, beat_at=last)
        return rows.update(beat_at=now) == len(names)


def recover(
    now: datetime,
    after_beat: Callable[[], None] = lambda: None,
    *,
    may_others_serve: bool = False,
) -> int:
    """Give the time since the last heartbeat back to open matches; return how many clocks ran.

    A process calls this once, before it serves. Seats taken before the call are emptied too. With
    `may_others_serve`, nothing is given back or emptied if another process has just written a
    heartbeat. `after_beat` is called after the heartbeat is written and before the matches get
    their time; it must keep the heartbeat going.
    """
    last = find_last_beat(WEB)
    is_first, outage = _write_beat(WEB, last, now)
    after_beat()
    if not is_first or (may_others_serve and last is not None and outage is None):
        return 0
    since = last or now
    # Players could not reach the site since then: even a gap shorter than OUTAGE is given back.
    return give_back(outage or Outage(since, now, now - since, now - since), are_seats_empty=True)


def _write_beat(name: str, last: datetime | None, now: datetime) -> tuple[bool, Outage | None]:
    """Write the heartbeat; return whether it is the first after `last`, and the outage it ends.

    The same transaction stores the end of the outage, so that no worker lets a flag fall before
    the match has its time back.
    """
    with write_transaction():
        if last is None:
            return Heartbeat.objects.get_or_create(name=name, defaults={"beat_at": now})[1], None
        if not Heartbeat.objects.filter(name=name, beat_at=last).update(beat_at=now):
            return False, None
        if name == WORKER and now - last > OUTAGE:
            _store_moment(WORKER_GONE, last)
            _store_moment(WORKER_BACK, now)
        outage = find_outage(last, now) if name == WEB else None
        if outage is not None:
            _store_moment(RECOVERED, now)
        return True, outage


def _store_moment(name: str, at: datetime) -> None:
    Heartbeat.objects.update_or_create(name=name, defaults={"beat_at": at})


def give_back(outage: Outage, *, are_seats_empty: bool = False) -> int:
    """Give the time of an outage back to all open matches; return how many clocks were running.

    Seats stay held unless `are_seats_empty`, since connections may survive while a machine sleeps.
    """
    is_live = Q(wake_at__isnull=False) | Q(seats__holder__isnull=False)
    live = Match.objects.filter(is_live, finished_at__isnull=True).distinct()
    public_ids = list(live.values_list("public_id", flat=True))
    count = 0
    for public_id in public_ids:
        with about_match(public_id):
            try:
                count += _give_back_to(public_id, outage, are_seats_empty)
            except Exception:  # a failure must not cost other matches their time or stop the start
                logger.exception("outage not given back")
    if count:
        logger.info("outage of %s given back to %d matches", outage.gap, count)
    return count


def _give_back_to(public_id: str, outage: Outage, are_seats_empty: bool) -> bool:
    """Pause a match that waits for its player; credit the running turn of any other match.

    If web and worker processes were all silent for longer than `void_after_outage`, the match
    becomes void. Staff decide after a long outage of the web processes alone, and after one whose
    time the match does not get back.
    """
    with write_transaction():
        tx = MatchTransaction.lock(public_id, outage.ended_at)
        if are_seats_empty:
            empty_seats(tx)
        clock = tx.state.clock
        was_running = clock is not None and clock.flag_at_ms() is not None
        limit = tx.match.policy.void_after_outage
        if tx.match.policy.waits_for_player:
            if was_running:
                pause_clock(tx, outage.gap // _MS)
        elif limit is not None and outage.all_silent > limit:
            void(tx, OUTAGE_CAUSE)
        else:
            _credit(tx, outage, was_running)
        tx.save()
        tx.reschedule()
    return was_running


def _credit(tx: MatchTransaction, outage: Outage, was_running: bool) -> None:
    """Give the time back to the running turn and every absence, for `MOST_GIVEN` outages a match.

    Later outages log a credit of 0, which ends the wait for the time owed (`outages.is_time_owed`).
    """
    limit, match = tx.match.policy.void_after_outage, tx.match
    is_due = match.outages_given < MOST_GIVEN
    ms = outage.gap // _MS + EXTRA_CREDIT_MS if is_due else 0
    if was_running:
        tx.act(lambda at: Credit(at_ms=at, ms=ms))
    if is_due:
        match.outages_given += 1
        match.save(update_fields=["outages_given"])
        for seat in tx.seats.values():
            if seat.absence is not None:
                seat.absence = seat.absence.credit(timedelta(milliseconds=ms))
                seat.save(update_fields=["absence_at"])
    if not is_due or (limit is not None and outage.gap > limit):
        end = {"ended_at": outage.ended_at}
        Interruption.objects.update_or_create(
            match=match, defaults=end, create_defaults={**end, "began_at": outage.began_at}
        )
