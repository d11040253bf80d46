"""Links from a number in the statistics to the counted rows, with the filter of the page."""

from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from stats.matches.forms import StatisticsForm
from stats.matches.totals import Total

register = template.Library()


@register.simple_tag
def matches_address(
    person: User, form: StatisticsForm, total: Total | None = None, **more: str
) -> str:
    """Return the URL of the list with the matches of a total; `more` are further choices."""
    chosen = {name: value for name, value in more.items() if value}
    query = form.query | (total.query if total else {}) | chosen
    return _address(reverse("stats:matches", args=[person.public_id]), query)


@register.simple_tag
def dice_address(form: StatisticsForm) -> str:
    """Return the URL of the dice, filtered by variant and by opponents: people or the computer."""
    query = form.query
    against = query.get("against", "")
    if against:
        query["against"] = "people" if against in ("member", "guest") else "computer"
    query.pop("period", None)
    return _address(reverse("stats:dice"), query)


@register.simple_tag
def statement_address(group: Any, since: Any) -> str:
    """Return the URL of the statement with a group's causes, from the day of `since` on."""
    day = {"since": timezone.localdate(since).isoformat()} if since else {}
    return _address(reverse("wallet:statement"), {"cause": group.code} | day)


def _address(path: str, query: dict[str, str]) -> str:
    return f"{path}?{urlencode(query)}" if query else path
