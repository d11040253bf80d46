"""Outages of the site: the time that players could not reach us is not theirs.

Processes sign a row of their kind each second. A gap in the web processes' signs is an outage,
whether they were dead or the machine slept; running clocks get it back. A worker's silence is no
outage: it signs a row of its own, which only tells whether deadlines are kept.
"""

import logging
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Q

from accounts.shared.transactions import writing
from games.engine.match.actions import Credit
from games.models import Heartbeat, Match
from games.services.outages import OUTAGE, RECOVERED, WEB, WORKER, find_last_beat
from games.services.seats import empty_seats, pause_clock
from games.services.transaction import MatchTransaction
from games.services.voiding import OUTAGE_CAUSE, void

__all__ = ["WEB", "WORKER", "beat", "beat_again", "find_last_beat", "recover"]

logger = logging.getLogger(__name__)

EXTRA_CREDIT_MS = 20_000
_MS = timedelta(milliseconds=1)


def beat(now: datetime, name: str = WEB) -> None:
    """The web process is there, or under the name `WORKER` the loop that keeps deadlines.

    The first web process to sign after an outage gives it back: one of several, by conditional
    update. Seats stay held: connections may have outlived a machine that slept.
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
    with writing():
        rows = Heartbeat.objects.filter(name__in=names, beat_at=last)
        return rows.update(beat_at=now) == len(names)


def recover(now: datetime) -> int:
    """Give open matches the outage back; returns how many clocks were running.

    For the process that serves alone, once, before it serves: nobody holds a seat then.
    """
    last = find_last_beat(WEB)
    _write_beat(WEB, last, now)
    return _credit_all(now - (last or now), now, are_seats_empty=True)


def _write_beat(name: str, last: datetime | None, now: datetime) -> bool:
    """Write the sign; whether it was us who followed upon `last`.

    After an outage the moment is written with it: no worker lets a flag fall before its match has
    the time back.
    """
    with writing():
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
        except Exception:  # one match must not cost all others their time, nor the site its start
            logger.exception("outage not given back", extra={"match": public_id})
    if count:
        logger.info("outage of %d ms given back to %d matches", gap_ms, count)
    return count


def _credit_match(public_id: str, gap_ms: int, now: datetime, are_seats_empty: bool) -> bool:
    """Pause a match that waits for its player; elsewhere the turn goes on with a bonus.

    After too long an outage a match may count for nothing (`void_after_outage`).
    """
    with writing():
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
    """The running turn and every absence get the outage back."""
    if was_running:
        tx.act(lambda at: Credit(at_ms=at, ms=gap_ms + EXTRA_CREDIT_MS))
    for seat in tx.seats.values():
        if seat.absence is not None:
            seat.absence = seat.absence.credit(timedelta(milliseconds=gap_ms + EXTRA_CREDIT_MS))
            seat.save(update_fields=["absence_at"])
