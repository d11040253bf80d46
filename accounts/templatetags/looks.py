"""The looks of board and checkers as options of a select."""

from typing import Any

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from accounts.profile import looks

register = template.Library()


@register.simple_tag(takes_context=True)
def look_options(context: dict[str, Any], kind: str) -> SafeString:
    """Offer the looks that the member may wear.

    The other looks are disabled options, so that scripts find the name of a look that the member
    has since bought and put on in another tab.
    """
    titles = looks.wearable(context["user"].pk)[kind]
    rest = {code: label for code, label in looks.LOOKS[kind].choices if code not in titles}
    return format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        [(code, "", title) for code, title in titles.items()]
        + [(code, SafeString(" disabled hidden"), label) for code, label in rest.items()],
    )
