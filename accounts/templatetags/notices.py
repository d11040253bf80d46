"""Offers to notify a member of an event while they are away."""

from typing import Any

from django import template
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.utils.translation import gettext_lazy as _

from accounts.models import NoticeKind, User
from accounts.notices import choices, vapid

register = template.Library()

_TEXTS = {
    NoticeKind.JOINED: _("Tell me when somebody joins"),
    NoticeKind.WISHED_GAME: _("Tell me while I am away, too"),
    NoticeKind.TOURNAMENT_SOON: _("Tell me before the start and when my table opens"),
    NoticeKind.GIFT: _("Tell me when it is ready"),
}


@register.inclusion_tag("profile/_notice_offer.html", takes_context=True)
def notice_offer(context: dict[str, Any], kinds: str, place: str = "page") -> dict[str, Any]:
    """Offer notices of one or more kinds on this device; nothing for guests and while push is off.

    `kinds` are names separated by spaces; the offer is worded for the first.
    `place` tells two offers on one page apart, for htmx, which keeps offers by their ids.
    """
    request: HttpRequest | None = context.get("request")
    user = getattr(request, "user", None)
    if request is None or not isinstance(user, User) or not vapid.is_push_on():
        return {"is_offered": False}
    return {
        "is_offered": True,
        "is_on": choices.are_pushed_here(user.pk, request.session.session_key or "", kinds.split()),
        "kinds": kinds,
        "place": place,
        "text": _TEXTS[NoticeKind(kinds.split()[0])],
        "key": vapid.public_key(),
        "token": get_token(request),
    }
