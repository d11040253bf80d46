"""Read the limits, exclusion, age and country of any number of members in one query."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings
from django.db.models import Exists, OuterRef, QuerySet, Subquery

from accounts.models import User
from wallet.limits.rules import Kind
from wallet.models import Exclusion, Limit


@dataclass(frozen=True, slots=True)
class Guard:
    """A member's limits by kind (only those that are set), and what else may forbid a stake."""

    user_id: int
    is_adult: bool
    country: str
    excluded_until: datetime | None
    exclusion: str
    amounts: Mapping[Kind, int] = field(default_factory=dict)

    @property
    def needs_age(self) -> bool:
        return bool(settings.MINIMUM_AGE) and not self.is_adult

    @property
    def is_country_closed(self) -> bool:
        return self.country in settings.COUNTRIES_WITHOUT_STAKES


def guard_of(user_id: int, now: datetime) -> Guard:
    return guards_of([user_id], now)[user_id]


def guards_of(user_ids: Collection[int], now: datetime) -> dict[int, Guard]:
    """Return the guards by user id. Where a race matters, the caller has locked the accounts."""
    last = in_force(now).filter(user=OuterRef("pk")).order_by("-ends_at")
    rows = User.objects.filter(pk__in=user_ids).values_list(
        "pk",
        "play_choices__adult_at",
        "profile__country",
        Subquery(last.values("ends_at")[:1]),
        Subquery(last.values("kind")[:1]),
        "own_limits__kind",
        "own_limits__amount",
        "own_limits__next_amount",
        "own_limits__next_at",
    )
    found: dict[int, Guard] = {}
    amounts: dict[int, dict[Kind, int]] = {}
    for pk, adult_at, country, until, exclusion, kind, amount, next_amount, next_at in rows:
        own = amounts.setdefault(pk, {})
        found[pk] = Guard(pk, adult_at is not None, country or "", until, exclusion or "", own)
        limit = Limit(amount=amount, next_amount=next_amount, next_at=next_at)
        if kind is not None and (present := limit.amount_at(now)) is not None:
            own[Kind(kind)] = present
    return found


def in_force(now: datetime) -> QuerySet[Exclusion]:
    return Exclusion.objects.filter(ends_at__gt=now)


def is_excluded(user: str, now: datetime) -> Exists:
    """Return the condition that a user is excluded now; `user` names a field of the outer query."""
    return Exists(in_force(now).filter(user=OuterRef(user)))
