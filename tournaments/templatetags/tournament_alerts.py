"""The alerts about a member's tournaments, which every page shows."""

from typing import Any

from django import template

from accounts.models import User
from accounts.shared.database_clock import CLOCK
from accounts.shared.durations import as_clock
from tournaments.pages.alerts import Alerts, alerts_of

register = template.Library()
register.filter("as_clock", as_clock)


@register.simple_tag
def tournament_alerts(user: Any) -> Alerts | None:
    return alerts_of(user, CLOCK.now()) if isinstance(user, User) else None
