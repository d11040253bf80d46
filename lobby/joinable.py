"""The announced games that a member may join now.

Every page of a member shows their number. As one query the rules took five times as long to compile
as the few games that wait take to check here.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.db.models import Q

from accounts.models import Block, Friendship, User
from accounts.selectors import ONLINE_FOR
from games.selectors import has_live_stake
from games.stakes.early_ends import apart_from
from games.stakes.escrow import stakable_credits
from games.stakes.limits import stake_limit
from lobby.models import Seek
from stats.selectors import ratings_of
from wallet.limits.guards import guard_of
from wallet.limits.rules import Kind

# A row of a waiting game: these columns, as a named tuple.
Waiting = Any
_COLUMNS = (
    "pk",
    "owner_id",
    "invited_id",
    "access",
    "variant",
    "stake_credits",
    "least_rating",
    "most_rating",
    "created_at",
    "owner__presence__seen_at",
)


def joinable_ids(viewer: User, now: datetime) -> list[int]:
    """Return the ids of the games that the viewer may join now, the newest first.

    They are among `selectors.open_seeks`. A suspension of the viewer is not checked, and their own
    limit of losses only when they join. Empty while the viewer is in a match for credits.
    """
    if not viewer.is_member:
        return []
    seeks = _addressed_to(viewer, now)
    if not seeks or has_live_stake(viewer.pk):
        return []
    limit = stake_limit(viewer.pk)
    most = _most_stake(viewer.pk, limit, now)
    seeks = _within_ratings(viewer, [seek for seek in seeks if seek.stake_credits <= most])
    apart: set[int | None] = {*_blocked(viewer, {seek.owner_id for seek in seeks})}
    if seeks and limit is not None:  # a newcomer
        apart.update(apart_from(viewer.pk, now))
    return [seek.pk for seek in seeks if seek.owner_id not in apart]


def _addressed_to(viewer: User, now: datetime) -> list[Waiting]:
    """Return others' waiting games for the viewer, their friends or everyone, if the owner is here.

    A challenge to the viewer waits for an absent owner too.
    """
    seeks = Seek.objects.filter(state=Seek.State.OPEN, expires_at__gt=now).exclude(owner=viewer)
    listed = Q(access__in=[Seek.Access.OPEN, Seek.Access.FRIENDS]) | Q(invited=viewer)
    rows = list(seeks.filter(listed).values_list(*_COLUMNS, named=True))
    friends = _friends_among(viewer, rows)
    since = now - ONLINE_FOR

    def is_for_viewer(row: Waiting) -> bool:
        if row.invited_id is not None:
            return True
        seen_at = row.owner__presence__seen_at
        is_here = row.created_at > since or (seen_at is not None and seen_at > since)
        return is_here and (row.access == Seek.Access.OPEN or row.owner_id in friends)

    return [row for row in rows if is_for_viewer(row)]


def _friends_among(viewer: User, rows: Iterable[Waiting]) -> set[int]:
    owners = {row.owner_id for row in rows if row.access == Seek.Access.FRIENDS}
    if not owners:
        return set()
    pairs = Friendship.objects.filter(
        Q(first=viewer, second__in=owners) | Q(second=viewer, first__in=owners),
        state=Friendship.State.FRIENDS,
    )
    return {each for pair in pairs.values_list("first_id", "second_id") for each in pair}


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


def _blocked(viewer: User, owners: set[int]) -> set[int]:
    """Return the owners who block the viewer or whom the viewer blocks."""
    if not owners:
        return set()
    blocks = Block.objects.filter(
        Q(owner=viewer, blocked__in=owners) | Q(blocked=viewer, owner__in=owners)
    )
    people = {each for pair in blocks.values_list("owner_id", "blocked_id") for each in pair}
    return people - {viewer.pk}
