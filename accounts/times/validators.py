"""Checks of moments that people type into forms."""

from datetime import MAXYEAR, MINYEAR, datetime

from django.core.exceptions import ValidationError
from django.forms import DateTimeField


def need_inner_year(moment: datetime) -> None:
    """Refuse the first and the last year of the calendar.

    In UTC, or in the time zone of a reader, such a moment may lie outside the years 1 to 9999: it
    could be neither stored nor shown.
    """
    if not MINYEAR < moment.year < MAXYEAR:
        raise ValidationError(DateTimeField.default_error_messages["invalid"], code="year")
