"""Heartbeats of processes, and time given back after an outage of the site.

Processes write a row of their kind each second. A gap in the web processes' heartbeats is an
outage, whether they were dead or the machine slept; running clocks get it back. A silent worker is
not an outage: its own row only shows whether deadlines are kept.
"""

import logging
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.shared.transactions import write_transaction
from games.engine.match.actions import Credit
from games.models import Heartbeat, Match
from games.services.outages import OUTAGE, RECOVERED, WEB, WORKER, find_last_beat
from games.services.seats import empty_seats, pause_clock
from games.services.transaction import MatchTransaction
from games.services.voiding import OUTAGE_CAUSE, void

__all__ = ["WEB", "WORKER", "beat", "beat_again", "find_last_beat", "recover"]

logger = logging.getLogger(__name__)

# Added to the outage, so that players can reconnect.
EXTRA_CREDIT_MS = 20_000
_MS = timedelta(milliseconds=1)


def beat(now: datetime, name: str = WEB) -> None:
    """Write a heartbeat: of the web process, or under `WORKER` of the loop that keeps deadlines.

    The first web process to write after an outage gives it back; a conditional update picks
    one. Seats stay held: connections may have outlived a machine that slept.
    """
    last = find_last_beat(name)
    if _write_beat(name, last, now) and name == WEB and last is not None and now - last > OUTAGE:
        _credit_all(now - last, now, are_seats_empty=False)


def beat_again(now: datetime, names: Collection[str], last: datetime) -> bool:
    """Sign all `names` in one statement; `last` is the sign that this process gave them before.

    False when another process has signed since or an outage lies between: `beat` is needed then.
    """
    if now - last > OUTAGE:
        return False
    with write_transaction():
        rows = Heartbeat.objects.filter(name__in=names, beat_at=last)
        return rows.update(beat_at=now) == len(names)


def recover(now: datetime) -> int:
    """Give the outage back to open matches; return how many clocks were running.

    Only for a process that serves alone, once, before it serves: it empties all seats.
    """
    last = find_last_beat(WEB)
    _write_beat(WEB, last, now)
    return _credit_all(now - (last or now), now, are_seats_empty=True)


def _write_beat(name: str, last: datetime | None, now: datetime) -> bool:
    """Write the heartbeat; return whether this process was the one to follow `last`.

    After an outage the same transaction writes when it ended: no worker lets a flag fall before
    its match has the time back.
    """
    with write_transaction():
        if last is None:
            return Heartbeat.objects.get_or_create(name=name, defaults={"beat_at": now})[1]
        is_ours = bool(Heartbeat.objects.filter(name=name, beat_at=last).update(beat_at=now))
        if is_ours and name == WEB and now - last > OUTAGE:
            Heartbeat.objects.update_or_create(name=RECOVERED, defaults={"beat_at": now})
        return is_ours


def _credit_all(gap: timedelta, now: datetime, *, are_seats_empty: bool) -> int:
    gap_ms = max(0, gap // _MS)
    is_live = Q(wake_at__isnull=False) | Q(seats__holder__isnull=False)
    live = Match.objects.filter(is_live, finished_at__isnull=True).distinct()
    public_ids = list(live.values_list("public_id", flat=True))
    count = 0
    for public_id in public_ids:
        try:
            count += _credit_match(public_id, gap_ms, now, are_seats_empty)
        except Exception:  # one match must not cost the others their time or stop the start
            logger.exception("outage not given back", extra={"match": public_id})
    if count:
        logger.info("outage of %d ms given back to %d matches", gap_ms, count)
    return count


def _credit_match(public_id: str, gap_ms: int, now: datetime, are_seats_empty: bool) -> bool:
    """Pause a match that waits for its player; elsewhere credit the running turn.

    A longer outage than `void_after_outage` voids the match.
    """
    with write_transaction():
        tx = MatchTransaction.lock(public_id, now)
        if are_seats_empty:
            empty_seats(tx)
        clock = tx.state.clock
        was_running = clock is not None and clock.flag_at_ms() is not None
        policy = tx.match.policy
        if policy.waits_for_player:
            if was_running:
                pause_clock(tx, gap_ms)
        elif policy.void_after_outage and gap_ms > policy.void_after_outage // _MS:
            void(tx, OUTAGE_CAUSE)
        else:
            _credit_turn(tx, gap_ms, was_running)
        tx.save()
        tx.reschedule()
    return was_running


def _credit_turn(tx: MatchTransaction, gap_ms: int, was_running: bool) -> None:
    """Give the outage back to the running turn and to every absence."""
    if was_running:
        tx.act(lambda at: Credit(at_ms=at, ms=gap_ms + EXTRA_CREDIT_MS))
    for seat in tx.seats.values():
        if seat.absence is not None:
            seat.absence = seat.absence.credit(timedelta(milliseconds=gap_ms + EXTRA_CREDIT_MS))
            seat.save(update_fields=["absence_at"])
