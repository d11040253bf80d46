"""The next gift, for its page and for the header."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import BooleanField, Exists, ExpressionWrapper, Q, QuerySet, Subquery

from accounts.members import identities
from accounts.models import User
from shop.gift_terms import CAUSE, credits_of, newest, wait_s
from shop.models import LastGift
from wallet.limits.guards import in_force, is_excluded
from wallet.models import GiftSwitch
from wallet.selectors import Funds, funds_of
from wallet.services import gift_switch


@dataclass(frozen=True, slots=True)
class GiftOffer:
    """The next gift of a member, `hours` after the last one.

    `has_enough`: the member has `below` credits or more, so gets no gift.
    """

    credits: int
    wait_s: int
    has_enough: bool
    below: int
    hours: int

    @property
    def is_ready(self) -> bool:
        return not (self.wait_s or self.has_enough)


def gifts_of(digests: Collection[str], user_id: int) -> QuerySet[LastGift]:
    """Return the last gifts under these identities, and those that the account took.

    The account may have given up the identity under which it took a gift.
    """
    return LastGift.objects.filter(Q(digest__in=digests) | Q(user=user_id))


def offer_of(user: User, funds: Funds, now: datetime) -> GiftOffer | None:
    """Return the gift for its page; None if gifts are off or the account gets none."""
    if not user.is_member or not gift_switch.is_given(CAUSE):
        return None
    rows = gifts_of(identities.digests_of_user(user.pk), user.pk)
    return _offer(newest(rows), funds, now)


def is_gift_ready(user: User, now: datetime) -> bool:
    offer = offer_of(user, funds_of(user.pk), now)
    return offer is not None and offer.is_ready and not in_force(now).filter(user=user).exists()


def offer_in_header(user: User, funds: Funds, now: datetime) -> GiftOffer | None:
    """Return the gift for the header, in one query; None if the header shows nothing.

    Gifts that the person took with another account are not considered here.
    """
    if not user.is_member or funds.total >= settings.GIFT_BELOW:
        return None
    latest = LastGift.objects.filter(user_id=user.pk).order_by("-taken_at")
    last_id = Subquery(latest.values("pk")[:1])
    taken_at = Subquery(latest.values("taken_at")[:1])
    days = Subquery(latest.values("days")[:1])
    is_off = Exists(GiftSwitch.objects.filter(cause=CAUSE, is_on=False))
    gets_none = ExpressionWrapper(is_off | is_excluded("pk", now), output_field=BooleanField())
    row: Any = User.objects.values_list(gets_none, last_id, taken_at, days).get(pk=user.pk)
    gets_none_now, pk, at, days_in_a_row = row
    if gets_none_now:
        return None
    return _offer(LastGift(pk=pk, taken_at=at, days=days_in_a_row) if pk else None, funds, now)


def _offer(last: LastGift | None, funds: Funds, now: datetime) -> GiftOffer:
    return GiftOffer(
        credits_of(last, now),
        wait_s(last, now),
        funds.total >= settings.GIFT_BELOW,
        settings.GIFT_BELOW,
        settings.GIFT_HOURS,
    )
