"""How amounts look on pages."""

from django import template
from django.utils.formats import number_format

register = template.Library()


@register.filter
def credits(amount: int) -> str:
    """An amount with its thousands apart, as the reader's language writes them."""
    return number_format(amount, use_l10n=True, force_grouping=True)
