"""Queries of the shop: the looks that a visitor owns, can buy or can try on."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from accounts.models.looks import FREE_LOOKS
from accounts.profile.looks import LOOKS
from shop.goods.contrast import least_contrast
from shop.models import Good, OwnedGood


@dataclass(frozen=True, slots=True)
class Look:
    """A look in the shop; `good` is None for a free one, `owned` is None if it is not owned."""

    kind: str
    code: str
    title: Any
    good: Good | None = None
    owned: OwnedGood | None = None

    @property
    def is_free(self) -> bool:
        return self.good is None

    @property
    def is_wearable(self) -> bool:
        return self.is_free or self.owned is not None

    @property
    def url(self) -> str:
        return reverse("shop:good", args=[self.kind, self.code])

    @property
    def contrast(self) -> float:
        return least_contrast(self.kind, self.code)


def free_looks(kind: str) -> list[Look]:
    return [Look(kind, code, LOOKS[kind](code).label) for code in FREE_LOOKS[kind]]


def on_sale(kind: str, user_id: int | None, now: datetime) -> list[Look]:
    """Return the goods that the visitor can buy now, without those that they own."""
    owned = {each.good_id for each in owned_by(user_id)}
    goods = [each for each in Good.objects.filter(kind=kind) if each.is_on_sale(now)]
    return [_look_of(each) for each in goods if each.pk not in owned]


def find_look(kind: str, code: str, user_id: int | None, now: datetime) -> Look | None:
    """Return a look if it is free, on sale or the visitor's own."""
    for free in free_looks(kind):
        if free.code == code:
            return free
    good = Good.objects.filter(kind=kind, code=code).first()
    if good is None:
        return None
    owned = next((each for each in owned_by(user_id) if each.good_id == good.pk), None)
    return _look_of(good, owned) if owned or good.is_on_sale(now) else None


def owned_by(user_id: int | None) -> list[OwnedGood]:
    """Return the goods that the member owns, the latest purchase first; none for a guest."""
    if user_id is None:
        return []
    rows = OwnedGood.objects.filter(user_id=user_id, refunded_at__isnull=True)
    return list(rows.select_related("good"))


def owned_looks(user_id: int) -> Iterable[tuple[str, str, Any]]:
    """Return kind, code and title of the looks that the member owns.

    The profile and the table read them through `add_source` of accounts/profile/looks.py.
    """
    return [(each.good.kind, each.good.code, each.good.title) for each in owned_by(user_id)]


def looks_to_combine(kind: str, user_id: int | None, now: datetime) -> list[Look]:
    """Return the looks of a kind, free, owned or on sale, to be tried on with another look."""
    owned = [_look_of(each.good, each) for each in owned_by(user_id) if each.good.kind == kind]
    return [*free_looks(kind), *owned, *on_sale(kind, user_id, now)]


def _look_of(good: Good, owned: OwnedGood | None = None) -> Look:
    return Look(good.kind, good.code, good.title, good, owned)
