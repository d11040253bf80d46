"""Find out whether players can reach the site, before a flag falls or a win is claimed."""

from datetime import datetime, timedelta

from games.models import Heartbeat, Match

WEB = "web"
WORKER = "worker"
# Web processes write a heartbeat each second; a longer gap counts as an outage.
OUTAGE = timedelta(seconds=5)
# Name of the row that keeps when the last outage ended.
RECOVERED = "back"
# Time allowed for crediting all matches. Flags fall again after it, even if the crediting process
# died.
CREDIT_WINDOW = timedelta(minutes=1)


def find_last_beat(name: str) -> datetime | None:
    return Heartbeat.objects.filter(name=name).values_list("beat_at", flat=True).first()


def is_web_out(now: datetime) -> bool:
    """Return whether all web processes have been silent for too long.

    False when none has ever written a heartbeat.
    """
    last = find_last_beat(WEB)
    return last is not None and now - last > OUTAGE


def recovered_at(now: datetime, within: timedelta) -> datetime | None:
    """Return the end of the last outage, None when it is longer ago than `within`."""
    back = find_last_beat(RECOVERED)
    return back if back is not None and now - back < within else None


def is_time_owed(match: Match, at_ms: int, now: datetime) -> bool:
    """Return whether a match has yet to get the time of an outage back.

    That holds during an outage, and after it until the match has an action (`at_ms`: its last).
    """
    if is_web_out(now):
        return True
    back = recovered_at(now, CREDIT_WINDOW)
    return back is not None and match.created_at + timedelta(milliseconds=at_ms + 1) <= back
