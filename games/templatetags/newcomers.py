"""Show what newcomers get and may do, and the refill, on the page of credits."""

from math import ceil
from typing import Any

from django import template
from django.template.context import RequestContext
from django.utils import timezone

from accounts.models import User
from games.stakes.newcomers import terms_of
from games.stakes.refill import offer_of

register = template.Library()


@register.inclusion_tag("games/stakes/_newcomer.html")
def newcomer_terms(user: User) -> dict[str, Any]:
    return {"terms": terms_of(user.pk)}


@register.inclusion_tag("games/stakes/_refill.html", takes_context=True)
def refill_offer(context: RequestContext, user: User) -> dict[str, Any]:
    offer = offer_of(user, timezone.now())
    return {
        "offer": offer,
        "hours": ceil(offer.wait_s / 3600) if offer else 0,
        "back": context.get("back", ""),
        "csrf_token": context.get("csrf_token"),
    }
