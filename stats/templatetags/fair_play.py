"""Decisions about fair play, for the pages on which the members concerned read them."""

from django import template

from stats.integrity import selectors
from stats.models import Case

register = template.Library()


@register.simple_tag
def decisions_against(user_id: int | None) -> list[Case]:
    """Return the cases decided against the member, the oldest first; empty for None."""
    return list(selectors.decisions_against(user_id)) if user_id else []
