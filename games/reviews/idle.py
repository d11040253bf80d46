"""Idle reviews: those that nobody requested, made while the site has nothing else to do.

Members switch them on in their profile. One idle review is open at a time on the whole site, and a
member gets at most `PER_DAY`. A requested review or a bot's turn goes first: the work stops after
the judgment in progress (games/reviews/worker.py).
"""

from datetime import datetime, timedelta

from django.db.models import Count, Q, QuerySet

from accounts.models import Preferences
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games.bots import driver
from games.engine.match.state import MatchCause
from games.models import Match, Review, Seat
from games.reviews import queue

# Maximum number of idle reviews that begin for one member within 24 hours.
PER_DAY = 10
# Age up to which a match is reviewed; an older one waits until a player requests the review.
RECENT = timedelta(days=30)
# Minimum number of actions in a match that is worth a review: about two turns of each side.
LEAST_ACTIONS = 14
# Members whose matches are looked at in one round, those with the fewest reviews of the day first.
MEMBERS_PER_ROUND = 20


def take_lease(now: datetime) -> queue.Lease | None:
    """Lease the open idle review, or begin one; None if the site is busy or no match waits."""
    if is_busy(now):
        return None
    return queue.take_idle_lease(now) or (queue.take_idle_lease(now) if _begin(now) else None)


def is_busy(now: datetime) -> bool:
    """Return whether a requested review or a bot's turn waits."""
    return queue.has_requested() or driver.waiting().filter(wake_at__lte=now).exists()


def _begin(now: datetime) -> bool:
    """Queue the latest unreviewed match of a member; return False if no match is queued."""
    if Review.objects.filter(asker=Review.IDLE_ASKER, state__in=Review.OPEN).exists():
        return False  # another worker has it, or it waits to be tried again
    for user_id in _members(now):
        match = _unreviewed(user_id, now).first()
        if match is None:
            continue
        try:
            with write_transaction():
                review = Review(match=match, for_member_id=user_id)
                queue.queue(review, Review.IDLE_ASKER, now)
        except Refused:  # queued meanwhile: another idle review, or this match by its player
            return False
        return True
    return False


def _members(now: datetime) -> list[int]:
    """Return the members with a match to review, without those who got PER_DAY in 24 hours."""
    wanting = Preferences.objects.filter(reviews_when_idle=True, user__closed_at__isnull=True)
    waiting = wanting.filter(user__in=_seats(now).values("user")).values_list("user_id", flat=True)
    had = Review.objects.filter(for_member__in=waiting, asked_at__gt=now - timedelta(days=1))
    counts = dict(had.order_by().values_list("for_member").annotate(Count("pk")))
    few = [user_id for user_id in waiting if counts.get(user_id, 0) < PER_DAY]
    return sorted(few, key=lambda user_id: (counts.get(user_id, 0), user_id))[:MEMBERS_PER_ROUND]


def _unreviewed(user_id: int, now: datetime) -> QuerySet[Match]:
    matches = Match.objects.filter(seats__in=_seats(now).filter(user_id=user_id))
    return matches.defer("snapshot").order_by("-finished_at", "-pk")


def _seats(now: datetime) -> QuerySet[Seat]:
    """Return the seats of members with idle reviews on, in recent matches without a review."""
    recent = Q(match__created_at__gt=now - RECENT, match__finished_at__isnull=False)
    seats = Seat.objects.filter(recent, user__preferences__reviews_when_idle=True)
    unreviewed = seats.filter(match__review__isnull=True, match__seq__gte=LEAST_ACTIONS)
    return unreviewed.exclude(match__outcome=MatchCause.VOID.value)
