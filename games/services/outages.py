"""Is the site out of reach for players? Asked before a flag falls or a win is claimed."""

from datetime import datetime, timedelta

from games.models import Heartbeat, Match

WEB = "web"
WORKER = "worker"
# Web processes sign each second; this long without a sign, and nobody can be reached.
OUTAGE = timedelta(seconds=5)
# The row that says when the site was in reach again after an outage.
RECOVERED = "back"
# Until every match has its time back. Should whoever gives it back die, flags fall after that.
CREDIT_WINDOW = timedelta(minutes=1)


def find_last_beat(name: str) -> datetime | None:
    return Heartbeat.objects.filter(name=name).values_list("beat_at", flat=True).first()


def is_web_out(now: datetime) -> bool:
    """Whether all web processes have been silent for too long; never when none ever signed."""
    last = find_last_beat(WEB)
    return last is not None and now - last > OUTAGE


def recovered_at(now: datetime, within: timedelta) -> datetime | None:
    """When players could reach the site again, if that is not longer ago."""
    back = find_last_beat(RECOVERED)
    return back if back is not None and now - back < within else None


def is_time_owed(match: Match, at_ms: int, now: datetime) -> bool:
    """Whether players cannot reach the site, or it has just come back and nothing has happened in
    the match (`at_ms`: its last action) since: it has not had its time back.
    """
    if is_web_out(now):
        return True
    back = recovered_at(now, CREDIT_WINDOW)
    return back is not None and match.created_at + timedelta(milliseconds=at_ms + 1) <= back
