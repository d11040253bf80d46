"""Moments as text in the reader's zone and language."""

from datetime import UTC, date, datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import pgettext

from accounts.times.zones import offset_text, shown_zone

# Forms of a moment on a page; `time` and `moment` name the offset while the zone is guessed.
FORMS = ("day", "time", "moment", "month")


def text_of(at: datetime, form: str, names_offset: bool = False) -> str:
    """Write a moment in one of FORMS.

    `names_offset` always adds the UTC offset, for texts that are read later or elsewhere.
    """
    text = date_format(timezone.localtime(at), _format_of(form))
    is_timed = form in ("time", "moment")
    if is_timed and (names_offset or not shown_zone()):
        return f"{text} ({offset_text(at)})"
    return text


def day_text_of(day: date) -> str:
    """Write a day that does not depend on a time zone, such as a day of UTC."""
    return date_format(day, _format_of("day"))


def month_text_of(at: datetime) -> str:
    """Write a month and its year for use outside a sentence."""
    return date_format(timezone.localtime(at), "F Y")


def iso_of(at: datetime) -> str:
    """Return the moment in UTC, as `datetime` of a `<time>`."""
    return at.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _format_of(form: str) -> str:
    return {
        "day": pgettext("date format", "j M Y"),
        "time": "H:i",
        "moment": pgettext("date format", "j M Y, H:i"),
        "month": "E Y",
    }[form]
