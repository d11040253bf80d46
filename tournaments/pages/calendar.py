"""The calendar file of a tournament (RFC 5545): one event, and the name of the reader's zone."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

LINE_BYTES = 75


def calendar_file(
    *, uid: str, name: str, address: str, starts_at: datetime, ends_at: datetime, zone: ZoneInfo
) -> str:
    """Return the file. Times are in UTC, which every calendar program converts to its own zone."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//5Stars Gammon//Tournaments//EN",
        "METHOD:PUBLISH",
        f"X-WR-TIMEZONE:{zone.key}",
        "BEGIN:VEVENT",
        f"UID:{uid}",
        f"DTSTAMP:{_utc(starts_at)}",
        f"DTSTART:{_utc(starts_at)}",
        f"DTEND:{_utc(ends_at)}",
        f"SUMMARY:{_escaped(name)}",
        f"URL:{address}",
        f"DESCRIPTION:{_escaped(address)}",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"DESCRIPTION:{_escaped(name)}",
        "TRIGGER:-PT15M",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{_wrapped(line)}\r\n" for line in lines)


def _utc(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _escaped(text: str) -> str:
    for plain in ("\\", ";", ","):
        text = text.replace(plain, f"\\{plain}")
    return " ".join(text.splitlines())


def _wrapped(line: str) -> str:
    """Break a line into parts of at most LINE_BYTES, never inside a character."""
    parts: list[str] = []
    part = ""
    for character in line:
        if len((part + character).encode()) > LINE_BYTES - bool(parts):
            parts.append(part)
            part = ""
        part += character
    return "\r\n ".join([*parts, part])
