"""Amounts on pages."""

from django import template
from django.utils.formats import number_format

from accounts.models import User
from wallet import statement
from wallet.selectors import account_of

register = template.Library()


@register.filter
def credits(amount: int) -> str:
    """Group the digits as the active language does."""
    return number_format(amount, use_l10n=True, force_grouping=True)


@register.simple_tag
def waiting_credits(user: User) -> int:
    """Return the credits that the user gets when a freeze ends."""
    account = account_of(user.pk)
    return sum(line.credits for line in statement.waiting_of(account)) if account else 0
