"""The announced games that a member may join now.

Every page of a member shows their number. What the viewer may see is one query; their credits,
limits and ratings are compared in Python, because a query with all rules is slow to compile.
"""

from datetime import datetime
from typing import Any

from accounts.models import User
from games.selectors import has_live_stake
from games.stakes.early_ends import apart_from
from games.stakes.escrow import stakable_credits
from games.stakes.limits import stake_limit
from lobby.models import Seek
from lobby.selectors import visible_seeks
from stats.selectors import ratings_of
from wallet.limits.guards import guard_of
from wallet.limits.rules import Kind

# A row of a waiting game: these columns, as a named tuple.
Waiting = Any
_COLUMNS = ("pk", "owner_id", "variant", "stake_credits", "least_rating", "most_rating")


def joinable_ids(viewer: User, now: datetime) -> list[int]:
    """Return the ids of the games that the viewer may join now, the newest first.

    A suspension of the viewer is not checked, and their own limit of losses only when they join.
    Empty while the viewer is in a match for credits.
    """
    if not viewer.is_member:
        return []
    waiting = Seek.objects.filter(state=Seek.State.OPEN, expires_at__gt=now)
    if not waiting.exclude(owner=viewer).exists() or has_live_stake(viewer.pk):
        return []
    visible = visible_seeks(viewer, now).exclude(owner=viewer)
    seeks = list(visible.values_list(*_COLUMNS, named=True))
    if not seeks:
        return []
    limit = stake_limit(viewer.pk)
    most = _most_stake(viewer.pk, limit, now)
    seeks = _within_ratings(viewer, [seek for seek in seeks if seek.stake_credits <= most])
    if seeks and limit is not None:  # a newcomer
        apart = set(apart_from(viewer.pk, now))
        seeks = [seek for seek in seeks if seek.owner_id not in apart]
    return [seek.pk for seek in seeks]


def _most_stake(user_id: int, limit: int | None, now: datetime) -> int:
    """Return the highest stake that the member can join with; 0 during a break.

    `limit`: that of a newcomer, None for a member with a history.
    """
    guard = guard_of(user_id, now)
    if guard.excluded_until is not None:
        return 0
    limits = [stakable_credits(user_id), limit, guard.amounts.get(Kind.STAKE)]
    return min(each for each in limits if each is not None)


def _within_ratings(viewer: User, seeks: list[Waiting]) -> list[Waiting]:
    """Return the games whose range of ratings includes the viewer's."""
    if all(seek.least_rating is None and seek.most_rating is None for seek in seeks):
        return seeks
    ratings = ratings_of(viewer.pk)

    def is_within(seek: Waiting) -> bool:
        rating = ratings[seek.variant]
        is_enough = seek.least_rating is None or seek.least_rating <= rating
        return is_enough and (seek.most_rating is None or rating <= seek.most_rating)

    return [seek for seek in seeks if is_within(seek)]
