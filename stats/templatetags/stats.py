"""Ratings as pages show them."""

from decimal import Decimal

from django import template

from games.models import Seat
from stats import selectors
from stats.models import RatingChange

register = template.Library()


@register.filter
def whole(rating: Decimal) -> int:
    return selectors.shown(rating)


@register.filter
def signed(number: int) -> str:
    """+7, −7 with a true minus, 0."""
    return f"+{number}" if number > 0 else str(number).replace("-", "\u2212")


@register.filter
def moved(change: RatingChange) -> int:
    """By how much the shown rating moved: whole after less whole before."""
    return selectors.shown(change.after) - selectors.shown(change.before)


@register.filter
def opponent(change: RatingChange) -> Seat | None:
    seats = change.rated.match.seats.all()
    return next((seat for seat in seats if seat.user_id != change.user_id), None)


@register.filter
def percent(part: Decimal) -> int:
    return round(part * 100)
