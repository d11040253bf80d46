"""Template tags about strikes and suspensions."""

from datetime import datetime, timedelta
from math import ceil

from django import template
from django.utils import timezone
from django.utils.translation import ngettext

from accounts.models import User
from games.conduct.completion import completion_percent
from games.conduct.record import ConductReport, report_of
from games.models import Seat, Strike

register = template.Library()

HOUR = timedelta(hours=1)


@register.filter
def span(length: timedelta) -> str:
    """Format a length, rounded up: in hours if it is one hour or at least two, else in minutes."""
    if length < 2 * HOUR and length != HOUR:
        minutes = ceil(length / timedelta(minutes=1))
        return ngettext("%d minute", "%d minutes", minutes) % minutes
    hours = ceil(length / HOUR)
    return ngettext("%d hour", "%d hours", hours) % hours


@register.filter
def until(end: datetime, now: datetime) -> timedelta:
    return end - now


@register.filter
def opponent_in(strike: Strike) -> Seat | None:
    """Return the seat of the player who was let down."""
    others = (seat for seat in strike.match.seats.all() if seat.user_id != strike.user_id)
    return next(others, None)


@register.simple_tag(name="completion_percent")
def completion(user: User) -> int | None:
    return completion_percent(user.pk, timezone.now())


@register.simple_tag
def own_conduct(user: User) -> ConductReport | None:
    return report_of(user.pk, timezone.now()) if user.is_authenticated else None
