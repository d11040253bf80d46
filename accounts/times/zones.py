"""The time zone of the reader for whom the current thread writes.

Pages get it from the browser's cookie or from the account (`middleware.py`), emails from the
account. While it is unknown, a zone is guessed from the language, and times of day are
shown with their offset from UTC.
"""

import zoneinfo
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from functools import cache
from importlib.resources import files
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language

from accounts.models import Preferences

ZONE_COOKIE = "zone"


class KnownZone(ZoneInfo):
    """The zone of a device or an account. In any other zone, times are shown with their offset."""


@cache
def _known_names() -> frozenset[str]:
    return frozenset(zoneinfo.available_timezones())


def find_zone(name: str) -> KnownZone | None:
    """Return a zone by its IANA name, aliases included; None for anything else."""
    return _zone(name) if name in _known_names() else None


@cache
def _zone(name: str) -> KnownZone:
    """Cache every zone in use: zoneinfo itself caches eight and reads other files again."""
    return KnownZone(name)


@cache
def countries_of_zones() -> dict[str, str]:
    """Return the country code of every zone to choose, by its name; aliases are left out."""
    table = files("tzdata") / "zoneinfo" / "zone.tab"
    lines = table.read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return {row[2]: row[0] for row in rows if row[2] in _known_names()}


def guess() -> ZoneInfo:
    """Return the zone where most readers of the active language live."""
    language = settings.SITE_LANGUAGES.get(get_language() or "")
    return ZoneInfo(language.time_zone if language else "UTC")


def zone_of(preferences: Preferences | None, device: KnownZone | None = None) -> ZoneInfo:
    """Return the zone that the member chose, else the device's, the last device's or a guess."""
    kept = find_zone(preferences.time_zone) if preferences else None
    if preferences and preferences.keeps_time_zone:
        return kept or guess()
    return device or kept or guess()


@contextmanager
def written_for(preferences: Preferences | None) -> Iterator[None]:
    """Write for a member who is not the reader of the page: use the zone of the account."""
    with timezone.override(zone_of(preferences)):
        yield


def shown_zone() -> str:
    """Return the name of the reader's zone, or "" while it is guessed."""
    zone = timezone.get_current_timezone()
    return str(zone) if isinstance(zone, KnownZone) else ""


def zone_key() -> tuple[str, bool]:
    """Return the values on which the text of a moment depends besides the language."""
    return str(timezone.get_current_timezone()), bool(shown_zone())


def offset_text(at: datetime, zone: tzinfo | None = None) -> str:
    """Return the zone's UTC offset at a moment: "UTC+3", "UTC−3:30", "UTC"."""
    offset = timezone.localtime(at, zone).utcoffset() or timedelta()
    minutes = round(offset.total_seconds() / 60)
    hours, rest = divmod(abs(minutes), 60)
    if not minutes:
        return "UTC"
    sign = "+" if minutes > 0 else "\u2212"
    return f"UTC{sign}{hours}" + (f":{rest:02}" if rest else "")


def label_of(name: str) -> str:
    """Return "Europe/Istanbul (UTC+3)"; for "" only the offset of the active zone."""
    offset = offset_text(timezone.now(), find_zone(name))
    return f"{name.replace('_', ' ')} ({offset})" if name and name != offset else offset
