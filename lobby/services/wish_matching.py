"""Compare new games with members' wishes. The worker does this, so that no request waits."""

import logging
from collections.abc import Collection
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from itertools import islice

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from accounts.broadcast import nudge
from accounts.models import Presence
from accounts.selectors import ONLINE_FOR, by_blocks, by_friends
from accounts.shared.deadlines import Retries
from accounts.shared.transactions import announce_after_commit, write_transaction
from accounts.times.zones import zone_of
from games.conduct.penalties import LONGEST_SUSPENSION
from games.conduct.record import suspension_of
from games.models import CountedMatch, Seat, Strike
from games.stakes.escrow import STAKE
from games.stakes.history import ENOUGH
from games.stakes.limits import NEWCOMER_STAKE
from lobby import broadcast
from lobby.models import NewGame, Search, Seek, WishedGame
from lobby.services import notices
from stats.models import Rating
from stats.rating import START
from wallet.limits.guards import is_excluded
from wallet.models import Account, Hold

logger = logging.getLogger(__name__)

# Minimum time between two nudges or notices about one wish.
TOLD_EVERY = timedelta(hours=1)
# Maximum number of wishes read for one game, and of members notified of it; those whose last
# nudge or notice is oldest come first.
MOST_READ, MOST_TOLD = 500, 100
# Joining compares the rating as pages show it: a half is rounded up.
_HALF = Decimal("0.5")
# Maximum number of new games compared in one call of `settle_due`.
BATCH = 50
RETRIES = Retries(logger, "new game not compared with wishes", "new_game")


def waiting() -> QuerySet[NewGame]:
    """Return the games that have not been compared yet, the oldest first."""
    return NewGame.objects.order_by("created_at")


def settle_due(now: datetime) -> datetime | None:
    """Notify members of new games that they wish for; return when to look again."""
    due = waiting().filter(created_at__lte=now).exclude(pk__in=RETRIES.resting(now))
    ids = list(due.values_list("pk", flat=True)[:BATCH])
    RETRIES.settle(ids, lambda id: compare(id, now), now)
    if len(ids) == BATCH:
        return now
    following = waiting().filter(created_at__gt=now).values_list("created_at", flat=True).first()
    return RETRIES.next_at(following, now)


def compare(new_id: int, now: datetime) -> None:
    """Notify the members who wish for a new game, unless another process has done so."""
    with write_transaction():
        rows = NewGame.objects.select_for_update(skip_locked=True, of=("self",))
        new = rows.select_related("seek", "search").filter(pk=new_id).first()
        if new is None:
            return
        game = new.seek or new.search
        new.delete()
        if game is not None and game.state == "OPEN":
            _tell(fitting(game, now), game, now)


def fitting(game: Seek | Search, now: datetime) -> list[WishedGame]:
    """Return the wishes that the game fulfills, one for each member.

    Takes one query, and one more for each member who got a strike recently.
    """
    host_id = game.owner_id if isinstance(game, Seek) else game.user_id
    rows = WishedGame.objects.filter(
        Q(variant="") | Q(variant=game.variant),
        Q(told_at=None) | Q(told_at__lte=now - TOLD_EVERY),
        expires_at__gt=now,
        is_friendly=isinstance(game, Search),
        owner__is_active=True,
        owner__closed_at=None,
    )
    rows = rows.exclude(Exists(Seat.objects.filter(user=OuterRef("owner"), is_live_stake=True)))
    if host_id is not None:
        rows = rows.exclude(Q(owner=host_id) | by_blocks(host_id, "owner"))
    if isinstance(game, Seek):
        rows = _able(rows, game, now)
        if game.access == Seek.Access.FRIENDS:
            rows = rows.filter(by_friends(game.owner_id, "owner"))
    rows = rows.select_related("owner__preferences")
    ordered = rows.order_by(F("told_at").asc(nulls_first=True), "pk")[:MOST_READ]
    found = {
        wish.owner_id: wish for wish in ordered if wish.is_at(now, zone_of(wish.owner.preferences))
    }
    able = (wish for wish in found.values() if not _is_suspended(wish, now))
    return list(islice(able, MOST_TOLD))


def _able(rows: QuerySet[WishedGame], seek: Seek, now: datetime) -> QuerySet[WishedGame]:
    """Keep the wishes of members who could join, apart from suspensions, which `fitting` reads."""
    stake = seek.stake_credits
    least = Q(least_stake=None) | Q(least_stake__lte=stake)
    rows = rows.filter(least, Q(most_stake=None) | Q(most_stake__gte=stake))
    account = Account.objects.filter(user=OuterRef("owner"))
    # Joining takes back the member's own announcement, as in `escrow.stakable_credits`.
    own_stake = Hold.objects.filter(account=OuterRef("pk"), cause=STAKE, state=Hold.State.OPEN)
    total = own_stake.values("account").annotate(total=Sum("amount_credits")).values("total")
    free = F("balance_credits") - F("held_credits") + Coalesce(Subquery(total), 0)
    available = account.annotate(free=free).values("free")
    rows = rows.annotate(available=Subquery(available[:1])).filter(available__gte=stake)
    if seek.least_rating is not None or seek.most_rating is not None:
        own = Rating.objects.filter(user=OuterRef("owner"), variant=seek.variant)
        rows = rows.annotate(rating=Coalesce(Subquery(own.values("rating")[:1]), START))
        if seek.least_rating is not None:
            rows = rows.filter(rating__gte=seek.least_rating - _HALF)
        if seek.most_rating is not None:
            rows = rows.filter(rating__lt=seek.most_rating + _HALF)
    rows = rows.exclude(is_excluded("owner", now))
    if stake > NEWCOMER_STAKE:
        counted = CountedMatch.objects.values("user").annotate(count=Count("pk"))
        has_history = Q(owner__in=counted.filter(count__gte=ENOUGH).values("user"))
        # A newcomer may stake what exceeds the gifts, as in `games.stakes.limits.stake_limit`.
        earned = Q(owner__account__balance_credits__gte=F("owner__account__given_credits") + stake)
        rows = rows.filter(has_history | earned)
    strikes = Strike.objects.filter(user=OuterRef("owner"), lifted_at=None)
    recent = strikes.filter(created_at__gt=now - LONGEST_SUSPENSION)
    return rows.annotate(has_strike=Exists(recent))


def _is_suspended(wish: WishedGame, now: datetime) -> bool:
    # A suspension does not forbid friendly games, so wishes for them have no `has_strike`.
    has_strike = getattr(wish, "has_strike", False)
    return has_strike and suspension_of(wish.owner_id, now) is not None


def _tell(wishes: Collection[WishedGame], game: Seek | Search, now: datetime) -> None:
    """Nudge the pages of members who are online; write a notice for the rest who want it."""
    for wish in wishes:
        wish.told_at = now
        wish.found_seek = game if isinstance(game, Seek) else None
        wish.found_search = game if isinstance(game, Search) else None
    WishedGame.objects.bulk_update(wishes, ["told_at", "found_seek", "found_search"])
    owners = [wish.owner_id for wish in wishes]
    online = Presence.objects.filter(user__in=owners, seen_at__gt=now - ONLINE_FOR)
    here = set(online.values_list("user_id", flat=True))
    for wish in wishes:
        if wish.owner_id in here:
            announce_after_commit(partial(nudge, wish.owner_id, broadcast.MATCH))
    away = [wish for wish in wishes if wish.owner_id not in here]
    notices.tell_wished(away, game, now)
