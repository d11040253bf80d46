"""Matches for credits that ended before the loser had played LEAST_TURNS turns.

They are a way to give credits away. So if one of the players is a newcomer, the two may not play
for credits again for a while (limits.py).
"""

from datetime import datetime, timedelta

from django.db.models import Count, F, Q, QuerySet

from games.models import Match, Seat
from games.models.kind import kinds_where
from games.stakes.history import LEAST_TURNS

# Time after such a match during which its two players may not meet.
APART_FOR = timedelta(days=1)


def apart_until(one_id: int, other_id: int, now: datetime) -> datetime | None:
    """Return when two members, one of them a newcomer, may meet again; None if they may now."""
    ended = _ended_early(now, one_id, other_id).order_by("-finished_at")
    at = ended.values_list("finished_at", flat=True).first()
    return None if at is None else at + APART_FOR


def apart_from(newcomer_id: int, now: datetime) -> QuerySet[Seat, int | None]:
    """Return the ids of the members whom the newcomer may not meet now, as a subquery."""
    matches = _ended_early(now, newcomer_id).order_by().values("pk")
    others = Seat.objects.filter(match__in=matches).exclude(user_id=newcomer_id)
    return others.values_list("user_id", flat=True)


def _ended_early(now: datetime, *user_ids: int) -> QuerySet[Match]:
    """Return the staked matches of these members that one side lost early within APART_FOR."""
    staked = kinds_where(lambda kind: kind.is_staked)
    found = Match.objects.filter(kind__in=staked, finished_at__gt=now - APART_FOR)
    found = found.exclude(winner="")  # void or drawn: both stakes went back
    for user_id in user_ids:
        found = found.filter(seats__user_id=user_id)
    by_loser = Q(actions__verb="play") & ~Q(actions__side=F("winner"))
    return found.alias(turns=Count("actions", filter=by_loser)).filter(turns__lt=LEAST_TURNS)
