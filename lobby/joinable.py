"""The announced games that a member may join now.

Every page shows a member the number of these games. One query finds the games that the viewer may
see; Python compares credits, limits and ratings, because a query with all rules is slow to compile.
"""

from datetime import datetime
from typing import Any

from accounts.models import User
from games.selectors import are_committed, has_live_stake
from games.stakes import own_limits
from games.stakes.early_ends import apart_from
from games.stakes.escrow import stakable_credits
from games.stakes.limits import stake_limit
from lobby.models import Seek
from lobby.selectors import visible_seeks
from stats.selectors import ratings_of
from wallet.limits.guards import guard_of
from wallet.limits.rules import Kind

# A row of a waiting game: a named tuple of _COLUMNS.
Waiting = Any
_COLUMNS = ("pk", "owner_id", "variant", "stake_credits", "least_rating", "most_rating")


def joinable_ids(viewer: User, now: datetime) -> list[int]:
    """Return the ids of the games that the viewer may join now, the newest first.

    Empty while the viewer is in a match for credits, and shortly before their tournament. Some
    rules are checked at joining only: suspensions; that a newcomer shares no device with the other
    player; if only the owner is a newcomer, that no recent match of the two ended early
    (games/stakes/early_ends.py); and the viewer's limit of losses, which every page would have to
    sum. An age that is not confirmed hides no game: the game's page asks for the confirmation.
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
    seeks = _within_ratings(viewer, _within_limits(viewer.pk, limit, seeks, now))
    if not seeks or are_committed([viewer.pk], now):
        return []
    if limit is not None:  # a newcomer
        apart = set(apart_from(viewer.pk, now))
        seeks = [seek for seek in seeks if seek.owner_id not in apart]
    return [seek.pk for seek in seeks]


def _within_limits(
    user_id: int, limit: int | None, seeks: list[Waiting], now: datetime
) -> list[Waiting]:
    """Return the games for which the member has the credits, and which their limits allow.

    `limit`: that of a newcomer, None for a member with a history.
    """
    guard = guard_of(user_id, now)
    if guard.excluded_until is not None or guard.is_country_closed:
        return []
    limits = [stakable_credits(user_id), limit, guard.amounts.get(Kind.STAKE)]
    most = min(each for each in limits if each is not None)
    seeks = [seek for seek in seeks if seek.stake_credits <= most]
    return seeks if seeks and own_limits.has_play_time_left(guard, now) else []


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
