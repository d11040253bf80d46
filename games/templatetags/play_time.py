"""Show the time of play: on the page of limits, and as a reminder during long play."""

from typing import Any

from django import template

from accounts.models import User
from accounts.shared.database_clock import CLOCK
from games.stakes.play_time import play_time_of, reminder_due

register = template.Library()


@register.inclusion_tag("games/stakes/_play_time.html")
def play_time(user: User) -> dict[str, Any]:
    return {"minutes": int(play_time_of(user.pk, CLOCK.now()).played().total_seconds()) // 60}


@register.inclusion_tag("games/stakes/_reminder.html", takes_context=True)
def play_reminder(context: Any) -> dict[str, Any]:
    """Show the reminder that is due.

    The page of a table leaves it out here: its script requests the reminder after the turn.
    """
    request = context["request"]
    match = request.resolver_match
    is_table = match is not None and match.view_name == "games:match"
    return {
        "reminder": None if is_table else reminder_due(request.user.pk, CLOCK.now()),
        "here": context["site"]["here"],
        "csrf_token": context.get("csrf_token"),
    }
