"""Show newcomers their gift and their limits on the page of credits."""

from typing import Any

from django import template

from accounts.models import User
from games.stakes.newcomers import terms_of

register = template.Library()


@register.inclusion_tag("games/stakes/_newcomer.html")
def newcomer_terms(user: User) -> dict[str, Any]:
    return {"terms": terms_of(user.pk)}
