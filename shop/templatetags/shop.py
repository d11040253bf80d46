"""Template tags of the shop, also for pages of other apps."""

from typing import Any
from urllib.parse import urlsplit

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

from accounts.models import User
from accounts.shared.kept_parts import render_kept
from shop.goods import sample_board
from shop.models import Currency
from shop.payments import debts, selectors
from shop.payments.currencies import SYMBOLS, money_text

register = template.Library()
register.filter("money", money_text)


@register.filter
def currency_symbol(code: str) -> str:
    return SYMBOLS[Currency(code)]


@register.simple_tag
def sample_drawing() -> SafeString:
    """Draw the board; CSS gives it each look's colors. Cached, since a page shows about ten."""
    return render_kept(
        "games/review/_drawing.html", (), lambda: {"drawing": sample_board.drawing()}
    )


@register.inclusion_tag("shop/_top_up_link.html")
def top_up_link(back: str = "") -> dict[str, Any]:
    """Link to the packs of credits, and from there to `back`; show nothing if none is on sale."""
    return {"is_on_sale": selectors.is_on_sale(), "back": back}


@register.inclusion_tag("shop/_back_link.html")
def back_link(back: str, classes: str = "button") -> dict[str, Any]:
    """Link back to the page for which credits were needed: a game, or a good in the shop."""
    is_shop = urlsplit(back).path.startswith(reverse("shop:shop"))
    return {"back": back, "classes": classes, "is_shop": is_shop}


@register.inclusion_tag("shop/payments/_debt.html")
def debt_note(user: User) -> dict[str, Any]:
    return {"debt": debts.owed_by(user.pk) if user.pk else 0}
