"""Outages of the site: the time that players could not reach us is not theirs.

Processes sign a row of their kind each second. The gap between the last sign of a web process
and the next start is an outage; running clocks get it back. A worker's silence is no outage: it signs a row of its own,
which only tells whether deadlines are kept.
"""

import logging
from datetime import datetime, timedelta

from django.db.models import Q

from games.engine.actions import Credit
from games.models import Heartbeat, Match
from games.services.gate import writing
from games.services.presence import pause_clock
from games.services.table import Table

logger = logging.getLogger(__name__)

WEB = "web"
WORKER = "worker"
EXTRA_CREDIT_MS = 20_000


def beat(now: datetime, name: str = WEB) -> None:
    """The serving process is there, or under the name `WORKER` the loop that keeps deadlines."""
    with writing():
        Heartbeat.objects.update_or_create(name=name, defaults={"beat_at": now})


def find_last_beat(name: str) -> datetime | None:
    return Heartbeat.objects.filter(name=name).values_list("beat_at", flat=True).first()


def recover(now: datetime) -> int:
    """Give open matches the outage back; returns how many clocks were running.

    For the process that serves alone, once, before it serves: nobody holds a seat then.
    """
    last = find_last_beat(WEB)
    beat(now)
    gap_ms = max(0, (now - last) // timedelta(milliseconds=1)) if last else 0
    is_live = Q(wake_at__isnull=False) | Q(seats__holder__isnull=False)
    live = Match.objects.filter(is_live, finished_at__isnull=True).distinct()
    count = sum(_give_back(id, gap_ms, now) for id in live.values_list("public_id", flat=True))
    if count:
        logger.info("outage of %d ms given back to %d matches", gap_ms, count)
    return count


def _give_back(public_id: str, gap_ms: int, now: datetime) -> bool:
    """A training match waits for its player; in others the turn goes on with a bonus."""
    with writing():
        table = Table.lock(public_id, now)
        for seat in table.seats.values():
            seat.holder = None
            seat.save(update_fields=["holder"])
        clock = table.state.clock
        was_running = clock is not None and clock.flag_at_ms() is not None
        if was_running and table.match.kind == Match.Kind.TRAINING:
            pause_clock(table, gap_ms)
        elif was_running:
            table.act(lambda at: Credit(at_ms=at, ms=gap_ms + EXTRA_CREDIT_MS))
        table.save()
        table.rewake()
    return was_running
