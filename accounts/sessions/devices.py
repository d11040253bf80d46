"""The devices on which a member is signed in, and their names."""

import re
from dataclasses import dataclass
from datetime import datetime

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.utils.translation import gettext

# The first match wins: many user agents contain names further down as well.
_BROWSERS = [
    ("Edg/|EdgA/|EdgiOS/", "Edge"),
    ("OPR/|OPiOS/|OPT/", "Opera"),
    ("YaBrowser/", "Yandex Browser"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/|FxiOS/", "Firefox"),
    ("Chrome/|CriOS/|Chromium/", "Chrome"),
    ("Version/.* Safari/", "Safari"),
]
_SYSTEMS = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Macintosh|Mac OS X", "macOS"),
    ("Linux|X11", "Linux"),
]


@dataclass(frozen=True, slots=True)
class Device:
    """One row of the list; `id` identifies it in the sign-out form."""

    id: int
    name: str
    address: str
    first_seen_at: datetime
    last_seen_at: datetime
    is_this: bool


def devices_of(user_id: int, this_key: str, now: datetime) -> list[Device]:
    """Return this device first, then the others by last use; expired sessions are left out."""
    alive = Session.objects.filter(expire_date__gt=now).values("session_key")
    theirs = UserSession.objects.filter(user_id=user_id, session_key__in=alive)
    devices = [_device(session, this_key) for session in theirs.order_by("-last_seen_at")]
    return sorted(devices, key=lambda device: not device.is_this)


def _device(session: UserSession, this_key: str) -> Device:
    return Device(
        id=session.pk,
        name=describe(session.user_agent),
        address=session.ip,
        first_seen_at=session.created_at,
        last_seen_at=session.last_seen_at,
        is_this=session.session_key == this_key,
    )


def describe(user_agent: str) -> str:
    """Return "Firefox on Windows", or as much of it as is known."""
    browser, system = _find(_BROWSERS, user_agent), _find(_SYSTEMS, user_agent)
    if browser and system:
        return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or gettext("Unknown device")


def _find(families: list[tuple[str, str]], user_agent: str) -> str:
    return next((name for mark, name in families if re.search(mark, user_agent)), "")
