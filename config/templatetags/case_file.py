"""Names of sides, of ends and of the causes of transfers in a match's case file."""

from django import template
from django.utils.functional import Promise
from django.utils.translation import pgettext

from config.staff.steps import ENDS
from wallet import causes

register = template.Library()


@register.filter
def side_name(side: str) -> str:
    """Name a side by the color of its checkers; return a dash if there is no side."""
    names = {
        "white": pgettext("color of checkers", "White"),
        "black": pgettext("color of checkers", "Black"),
    }
    return names.get(side, "–")


register.filter("cause_title", causes.title_of)


@register.filter
def end_name(cause: str) -> str | Promise:
    """Name the cause of a game's or match's end; return a dash while it runs."""
    return ENDS.get(cause, "–")
