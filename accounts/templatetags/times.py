"""Moments on pages and in emails. No template prints a date in another way (tests/house)."""

from datetime import date, datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from accounts.shared.durations import as_clock
from accounts.times.texts import day_text_of, iso_of, month_text_of, text_of
from accounts.times.zones import label_of, shown_zone

register = template.Library()
register.filter("as_clock", as_clock)


@register.simple_tag
def moment(at: datetime, form: str, css: str = "") -> SafeString:
    """Show a moment in the reader's zone as `<time>`, in one of FORMS (times/texts.py)."""
    style = format_html(' class="{}"', css) if css else ""
    return format_html(
        '<time datetime="{}" data-form="{}"{}>{}</time>', iso_of(at), form, style, text_of(at, form)
    )


@register.simple_tag
def day_text(day: date) -> str:
    return day_text_of(day)


@register.simple_tag
def month_text(at: datetime) -> str:
    return month_text_of(at)


@register.simple_tag
def moment_text(at: datetime, form: str) -> SafeString:
    """Write a moment for an email: as plain text, with its UTC offset."""
    return mark_safe(text_of(at, form, names_offset=True))


@register.simple_tag
def zone_text() -> str:
    """Name the zone of the page's times: "Europe/Istanbul (UTC+3)", or "UTC+3" while guessed."""
    return label_of(shown_zone())
