"""Goods on the statement of credits: links, names, and why staff may not reverse a purchase.

A reference is `kind/code` of the good.
"""

from collections.abc import Collection

from django.urls import reverse
from django.utils.translation import gettext as _

from shop.models import Good


def link(reference: str) -> str | None:
    kind, _slash, code = reference.partition("/")
    return reverse("shop:good", args=[kind, code])


def veto(reference: str) -> str | None:
    return _(
        "Refund it under “Owned items” instead: a reversal would leave the member with the item."
    )


def titles(references: Collection[str]) -> dict[str, str]:
    goods = Good.objects.filter(code__in={each.partition("/")[2] for each in references})
    return {f"{good.kind}/{good.code}": str(good.title) for good in goods}
