"""Find out whether players can reach the site, before a flag falls or a win is claimed.

Heartbeats, actions and every `now` here are times of the database's clock. If two machines used
their own clocks, and these differed by more than OUTAGE, each would take the other's heartbeats for
an outage.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from games.models import Action, Heartbeat, Match

WEB = "web"
WORKER = "worker"
# Processes write a heartbeat each second; a longer gap counts as an outage.
OUTAGE = timedelta(seconds=5)
# Heartbeat row that stores when the last outage ended.
RECOVERED = "back"
# Heartbeat rows that store the beginning and the end of the last time without a worker.
WORKER_GONE, WORKER_BACK = "worker-gone", "worker-back"
# Heartbeat row that stores when a player's command first came in the present outage.
ASKED = "asked"
# Time for which commands in an outage wait for a heartbeat. Afterwards they are carried out all the
# same: the site must not stand still because only its heartbeats fail.
HEARTBEAT_WITHIN = timedelta(seconds=10)
# Time allowed for crediting all matches. Flags fall again after it, even if the crediting process
# died.
CREDIT_WINDOW = timedelta(minutes=1)
# Outages whose time one match gets back, so that nobody gains time without end by bringing the
# site down again and again. A match with more outages is listed for staff (games/models/outage.py).
MOST_GIVEN = 3


@dataclass(frozen=True, slots=True)
class Outage:
    """A time in which all web processes were silent; for `all_silent` of it, the workers were too.

    `ended_at` is the time of the heartbeat after it. `gap` is the time that players get back: less
    than the whole time if a command was accepted in between.
    """

    began_at: datetime
    ended_at: datetime
    gap: timedelta
    all_silent: timedelta


def find_last_beat(name: str) -> datetime | None:
    return Heartbeat.objects.filter(name=name).values_list("beat_at", flat=True).first()


def find_outage(last: datetime, now: datetime) -> Outage | None:
    """Return the outage between two successive heartbeats of web processes; None if there was none.

    A late heartbeat alone is not an outage: an accepted command proves that players had access.
    """
    if now - last <= OUTAGE:
        return None
    moments = [last, *sorted(_commands_between(last, now)), now]
    silent = [(one, other) for one, other in pairwise(moments) if other - one > OUTAGE]
    if not silent:
        return None
    began_at, silent_until = silent[0][0], silent[-1][1]
    gap = sum((other - one for one, other in silent), timedelta())
    # Not `silent_until`: the action that gives the time back would be dated before the moment that
    # is stored as the end of the outage, and the time would still seem to be owed.
    return Outage(began_at, now, gap, min(gap, _time_without_worker(began_at, silent_until)))


def _commands_between(last: datetime, now: datetime) -> Iterator[datetime]:
    """Yield the times at which players' commands were accepted, read from the end of the log.

    Bots' actions do not count: a worker plays them while players cannot reach the site. The log is
    not quite in order of time, since the credits of an outage have the time of its end.
    """
    log = Action.objects.order_by("-pk").values_list("created_at", "client_id")
    for at, client_id in log.iterator(chunk_size=200):
        if at <= last - CREDIT_WINDOW:
            return
        if client_id is not None and at > last:
            yield min(at, now)


def _time_without_worker(began_at: datetime, ended_at: datetime) -> timedelta:
    """Return how much of the time had no worker; all of it on a site that never had one."""
    worker = find_last_beat(WORKER)
    if worker is None:
        return ended_at - began_at
    gone, back = find_last_beat(WORKER_GONE), find_last_beat(WORKER_BACK)
    if ended_at - worker > OUTAGE:
        gone, back = worker, ended_at
    if gone is None or back is None:
        return timedelta()
    return max(timedelta(), min(back, ended_at) - max(gone, began_at))


def is_web_out(now: datetime) -> bool:
    """Return whether all web processes have been silent for longer than OUTAGE.

    False when none has ever written a heartbeat.
    """
    return bool(web_silence(now))


def web_silence(now: datetime) -> timedelta:
    """Return the time since the last heartbeat of a web process; zero if there is no outage."""
    last = find_last_beat(WEB)
    silence = now - last if last is not None else timedelta()
    return silence if silence > OUTAGE else timedelta()


def recovered_at(now: datetime, within: timedelta) -> datetime | None:
    """Return the end of the last outage, None when it is longer ago than `within`."""
    back = find_last_beat(RECOVERED)
    return back if back is not None and now - back < within else None


def is_time_owed(match: Match, now: datetime) -> bool:
    """Return whether a match has not yet got the time of an outage back.

    True during an outage, and after it until the match logs an action, for CREDIT_WINDOW at most.
    """
    if is_web_out(now):
        return True
    back = recovered_at(now, CREDIT_WINDOW)
    return back is not None and not _has_action_since(match, back)


def is_time_awaited(match: Match, now: datetime) -> bool:
    """Return whether a player's command has to wait until the match has its time back.

    As `is_time_owed`, but for HEARTBEAT_WITHIN at most. During an outage this time counts from the
    first call, whose moment is stored; after the outage, from the outage's end.
    """
    rows = Heartbeat.objects.filter(name__in=(WEB, RECOVERED))
    beats = dict(rows.values_list("name", "beat_at"))
    last, back = beats.get(WEB), beats.get(RECOVERED)
    if last is not None and now - last > OUTAGE:
        return now - _first_asked_at(last, now) < HEARTBEAT_WITHIN
    if back is None or now - back >= HEARTBEAT_WITHIN:
        return False  # the credit failed: the player must be able to move
    return not _has_action_since(match, back)


def _first_asked_at(last: datetime, now: datetime) -> datetime:
    """Return when a command first came in the outage since `last`; store it if that is now."""
    asked = find_last_beat(ASKED)
    if asked is not None and asked > last:
        return asked
    Heartbeat.objects.update_or_create(name=ASKED, defaults={"beat_at": now})
    return now


def _has_action_since(match: Match, moment: datetime) -> bool:
    """Return whether the match logged an action at `moment` or later.

    The newest action does not tell: a command that waited for the database has the time at which it
    came, and may be logged after the action that gives the time back.
    """
    return match.actions.filter(created_at__gte=moment).exists()
