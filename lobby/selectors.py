"""Reads of the lobby."""

from datetime import datetime

from django.db.models import OuterRef, Q, QuerySet, Subquery

from accounts.models import Block, User
from games.models import Match, Seat
from lobby.conduct import FORGOTTEN, Fault, barred_until
from lobby.models import Seek, Strike
from stats.models import Rating
from stats.selectors import ratings_of
from wallet.selectors import funds_of


def pause_of(user_id: int, now: datetime) -> tuple[datetime, Strike] | None:
    """Until when somebody is kept from games for credits, and the latest reason."""
    rows = Strike.objects.filter(user_id=user_id, lifted_at__isnull=True)
    strikes = list(rows.filter(created_at__gt=now - 2 * FORGOTTEN))
    faults = [
        Fault(strike.created_at, Strike.WEIGHTS[Strike.Kind(strike.kind)]) for strike in strikes
    ]
    until = barred_until(faults, now)
    return None if until is None else (until, strikes[0])


def open_seeks(viewer: User | None, now: datetime) -> QuerySet[Seek]:
    """The announced games that somebody may see, the newest first.

    His own and those for him alone among them; not those of people one of them has blocked.
    """
    waiting = Seek.objects.filter(state=Seek.State.OPEN, expires_at__gt=now)
    waiting = with_ratings(waiting.select_related("owner__profile"))
    if viewer is None:
        return waiting.filter(access=Seek.Access.OPEN)
    seen = Q(access=Seek.Access.OPEN) | Q(owner=viewer) | Q(invited=viewer)
    blocked = Block.objects.filter(owner=viewer).values("blocked")
    blockers = Block.objects.filter(blocked=viewer).values("owner")
    hidden = Q(owner__in=blocked) | Q(owner__in=blockers)
    return waiting.filter(seen).exclude(hidden)


def with_ratings(seeks: QuerySet[Seek]) -> QuerySet[Seek]:
    """The seeks with their owners' `rating` and `experience` in that game; None before any."""
    owners = Rating.objects.filter(user=OuterRef("owner"), variant=OuterRef("variant"))
    return seeks.annotate(
        rating=Subquery(owners.values("rating")), experience=Subquery(owners.values("experience"))
    )


def joinable_seeks(viewer: User, now: datetime) -> QuerySet[Seek]:
    """Those that he could join at once: what the header counts.

    His own reserved stake counts as his, since joining takes his own announcement back.
    """
    own = open_seek_of(viewer)
    purse = funds_of(viewer.pk).available + (own.stake_credits if own else 0)
    in_range = Q(pk__in=[])
    for variant, rating in ratings_of(viewer.pk).items():
        least = Q(least_rating__isnull=True) | Q(least_rating__lte=rating)
        most = Q(most_rating__isnull=True) | Q(most_rating__gte=rating)
        in_range |= Q(variant=variant) & least & most
    seeks = open_seeks(viewer, now).exclude(owner=viewer)
    return seeks.filter(in_range, stake_credits__lte=purse)


def open_seek_of(user: User) -> Seek | None:
    """One's own announcement that waits."""
    return Seek.objects.filter(owner=user, state=Seek.State.OPEN).first()


def live_match_of(user: User) -> Match | None:
    """One's own match for credits that runs."""
    seat = Seat.objects.filter(user=user, is_live_stake=True).select_related("match").first()
    return seat.match if seat else None


def running_matches(viewer: User | None) -> QuerySet[Match]:
    """Matches for credits in play: the public ones and one's own, the newest first."""
    matches = Match.objects.filter(kind=Match.Kind.STAKE, finished_at__isnull=True)
    seen = Q(is_public=True)
    if viewer is not None:
        seen |= Q(seats__user=viewer)
    return matches.filter(seen).distinct().prefetch_related("seats__user__profile")
