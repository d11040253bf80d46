"""The devices on which somebody is signed in, in words."""

import re
from dataclasses import dataclass
from datetime import datetime

from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.utils.translation import gettext

# The first that is found counts: many call themselves by the names further down as well.
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
    """One row of the list; `id` names it in the form that signs it out."""

    id: int
    name: str
    address: str
    first_seen_at: datetime
    last_seen_at: datetime
    is_this: bool


def devices_of(user_id: int, this_key: str, now: datetime) -> list[Device]:
    """This one first, then those seen last. Sessions that have run out are none."""
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
    """ "Firefox on Windows"; less where less is known."""
    browser, system = _find(_BROWSERS, user_agent), _find(_SYSTEMS, user_agent)
    if browser and system:
        return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or gettext("Unknown device")


def _find(families: list[tuple[str, str]], user_agent: str) -> str:
    return next((name for mark, name in families if re.search(mark, user_agent)), "")
