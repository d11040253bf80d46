"""Format amounts on pages."""

from django import template
from django.utils.formats import number_format

register = template.Library()


@register.filter
def credits(amount: int) -> str:
    """Group the digits as the active language does."""
    return number_format(amount, use_l10n=True, force_grouping=True)
