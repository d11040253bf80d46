"""Announcing a game, joining, taking back, declining, and expiry.

Every service first locks the rows of the seeks concerned, by ascending id; the wallet
comes last (`escrow.reserve` has the whole order).
"""

import logging
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.selectors import either_blocks
from accounts.shared import deadlines
from accounts.shared.refusals import Refused
from accounts.shared.transactions import writing
from games.conduct.record import suspension_of
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match
from games.selectors import has_live_stake
from games.services import matches
from games.stakes import escrow
from games.stakes.terms import rake_of
from lobby import broadcast
from lobby.models import Seek
from lobby.selectors import challenge_refusal
from stats.selectors import rating_of

logger = logging.getLogger(__name__)

# The kind of these deadlines, as the worker's loop knows it.
SEEKS = "announcements"
LIFETIME = timedelta(minutes=5)
BATCH = 100


@dataclass(frozen=True, slots=True)
class Announcement:
    """The owner's choices; see the fields of Seek."""

    rules: Rules
    stake_credits: int
    access: str = Seek.Access.OPEN
    invited_id: int | None = None
    least_rating: int | None = None
    most_rating: int | None = None
    is_public: bool = True


def announce(owner: User, wanted: Announcement, now: datetime) -> Seek:
    """Announce a game and hold the stake.

    Raises Refused (`not_member`, `paused`, `busy`, `announced`; for a challenge also `blocked`,
    `unavailable`), and NoCredits.
    """
    _need_member(owner)
    _need_not_suspended(owner, now)
    _need_open_to(owner, wanted.invited_id, now)
    with writing():
        # Joining and agreeing on a rematch lock the purse too: a match begun there is seen now.
        escrow.lock_purses([owner.pk])
        if has_live_stake(owner.pk):
            raise Refused("busy")
        seek = Seek(
            owner=owner,
            access=wanted.access,
            invited_id=wanted.invited_id,
            variant=wanted.rules.variant.value,
            rules=wanted.rules.to_dict(),
            stake_credits=wanted.stake_credits,
            rake_credits=rake_of(wanted.stake_credits),
            least_rating=wanted.least_rating,
            most_rating=wanted.most_rating,
            is_public=wanted.is_public,
            created_at=now,
            expires_at=now + LIFETIME,
        )
        if Seek.objects.filter(owner=owner, state=Seek.State.OPEN).exists():
            raise Refused("announced")
        seek.hold_id = _reserve(escrow.ANNOUNCEMENT, seek, owner, now)
        try:
            with transaction.atomic():
                seek.save()
        except IntegrityError as error:
            raise Refused("announced") from error
        deadlines.note(SEEKS, seek.expires_at)
        _tell(seek)
    return seek


def join(public_id: str, player: User, now: datetime) -> Match:
    """Join an announced game: its match begins, with both stakes in the pot.

    The joiner's own announcement is taken back in the same transaction. Idempotent. Raises
    Refused, also as NoCredits; then nothing has changed.
    """
    _need_member(player)
    _need_not_suspended(player, now)
    with writing():
        seek, own = _lock_with_own(public_id, player)
        joined = _joined_by(player, seek)
        if joined is not None:
            return joined
        _check_joiner(seek, player, now)
        own += _lock_purses((seek.owner_id, player.pk), [seek, *own])
        for waiting in own:
            _close(waiting, Seek.State.CANCELED, now)
        hold_id = _reserve(escrow.JOIN, seek, player, now)
        players = {Side.WHITE: seek.owner_id, Side.BLACK: player.pk}
        terms = matches.Terms(
            seek.match_rules, seek.stake_credits, seek.rake_credits, seek.is_public
        )
        match = matches.create_stake(terms, players, [seek.hold_id, hold_id], now)
        seek.state, seek.match, seek.closed_at = Seek.State.JOINED, match, now
        seek.save(update_fields=["state", "match", "closed_at"])
        _tell(seek, player.pk)
    return match


def cancel(public_id: str, owner: User, now: datetime) -> Seek:
    """Take an announcement back. Idempotent. Raises Refused("gone") once joined."""
    with writing():
        seek = Seek.objects.select_for_update(no_key=True).filter(
            public_id=public_id, owner=owner
        ).first()  # fmt: skip
        if seek is None or seek.state == Seek.State.JOINED:
            raise Refused("gone")
        if seek.state == Seek.State.OPEN:
            _close(seek, Seek.State.CANCELED, now)
    return seek


def decline(public_id: str, person: User, now: datetime) -> Seek:
    """Decline a challenge: its owner is notified and gets the stake back.

    Idempotent. Raises Refused("gone") once it is over, and for a person who was not challenged.
    """
    with writing():
        seek = Seek.objects.select_for_update(no_key=True).filter(
            public_id=public_id, invited=person
        ).first()  # fmt: skip
        if seek is None or seek.state not in (Seek.State.OPEN, Seek.State.DECLINED):
            raise Refused("gone")
        if seek.state == Seek.State.OPEN:
            _close(seek, Seek.State.DECLINED, now)
    return seek


def remove(seek_id: int, reason: str, now: datetime) -> bool:
    """Take an announcement back as staff, with a reason for its owner; False if it was over."""
    with writing():
        waiting = Seek.objects.select_for_update(no_key=True).filter(state=Seek.State.OPEN)
        seek = waiting.filter(pk=seek_id).first()
        if seek is None:
            return False
        seek.removed_because = reason
        seek.save(update_fields=["removed_because"])
        _close(seek, Seek.State.REMOVED, now)
    return True


def withdraw(owner_ids: Collection[int], now: datetime) -> None:
    """Take back the announcements of these users, in the caller's transaction.

    Locks the announcements and all purses, in the order of `join`.
    """
    rows = Seek.objects.select_for_update(no_key=True)
    waiting = list(rows.filter(owner__in=owner_ids, state=Seek.State.OPEN).order_by("id"))
    waiting += _lock_purses(owner_ids, waiting)
    for seek in waiting:
        _close(seek, Seek.State.CANCELED, now)


def expiring() -> QuerySet[Seek]:
    """Open announcements, the next to expire first."""
    return Seek.objects.filter(state=Seek.State.OPEN).order_by("expires_at")


def settle_due(now: datetime) -> datetime | None:
    """Expire announcements that are due; return when the next one is."""
    due = list(expiring().filter(expires_at__lte=now).values_list("id", flat=True)[:BATCH])
    for seek_id in due:
        try:
            _expire(seek_id, now)
        except Exception:  # one announcement must not stop the deadlines of all others
            logger.exception("announcement not settled", extra={"seek": seek_id})
    if len(due) == BATCH:
        return now
    return expiring().filter(expires_at__gt=now).values_list("expires_at", flat=True).first()


def _expire(seek_id: int, now: datetime) -> None:
    with writing():
        due = Seek.objects.select_for_update(no_key=True, skip_locked=True)
        seek = due.filter(id=seek_id, state=Seek.State.OPEN, expires_at__lte=now).first()
        if seek is not None:
            _close(seek, Seek.State.EXPIRED, now)


def _lock_with_own(public_id: str, player: User) -> tuple[Seek, list[Seek]]:
    """Lock the seek to be joined and the joiner's own open one, by ascending id."""
    mine = Q(owner=player, state=Seek.State.OPEN)
    rows = Seek.objects.select_for_update(no_key=True).filter(Q(public_id=public_id) | mine)
    found = list(rows.order_by("id"))
    seek = next((row for row in found if row.public_id == public_id), None)
    if seek is None:
        raise Refused("gone")
    return seek, [row for row in found if row is not seek]


def _lock_purses(user_ids: Collection[int], locked: Collection[Seek]) -> list[Seek]:
    """Lock the purses; return what these users announced since their seeks were `locked`.

    Announcing locks the purse, so nothing is announced after this. Skip a seek being joined; that
    joiner waits for one of these purses and will be refused.
    """
    escrow.lock_purses(user_ids)
    rows = Seek.objects.select_for_update(no_key=True, skip_locked=True)
    waiting = rows.filter(owner__in=user_ids, state=Seek.State.OPEN)
    return list(waiting.exclude(pk__in=[seek.pk for seek in locked]))


def _joined_by(player: User, seek: Seek) -> Match | None:
    """Return the match if the player joined before, by a second click or in another window."""
    if seek.match is None or seek.owner_id == player.pk:
        return None
    return seek.match if seek.match.seats.filter(user=player).exists() else None


def _check_joiner(seek: Seek, player: User, now: datetime) -> None:
    if seek.owner_id == player.pk:
        raise Refused("own")
    if seek.state != Seek.State.OPEN or seek.expires_at <= now:
        raise Refused("gone")
    if seek.invited_id not in (None, player.pk):
        raise Refused("not_invited")
    if either_blocks(seek.owner_id, player.pk):
        raise Refused("gone")
    if not is_in_range(seek, rating_of(player.pk, seek.variant)):
        raise Refused("rating")


def is_in_range(seek: Seek, rating: int) -> bool:
    least, most = seek.least_rating, seek.most_rating
    return (least is None or rating >= least) and (most is None or rating <= most)


def _need_member(user: User) -> None:
    if not user.is_member:
        raise Refused("not_member")


def _need_open_to(owner: User, invited_id: int | None, now: datetime) -> None:
    """Raise Refused when the owner cannot challenge the invited person."""
    if invited_id is not None:
        code = challenge_refusal(owner, User.objects.get(pk=invited_id), now)
        if code is not None:
            raise Refused(code)


def _need_not_suspended(user: User, now: datetime) -> None:
    if suspension_of(user.pk, now) is not None:
        raise Refused("paused")


def _reserve(purpose: escrow.Purpose, seek: Seek, payer: User, now: datetime) -> int:
    held = escrow.reserve(purpose, seek.public_id, [payer.pk], seek.stake_credits, now)
    return held[payer.pk]


def _close(seek: Seek, state: Seek.State, now: datetime) -> None:
    """End an announcement without a match and release its stake."""
    seek.state, seek.closed_at = state, now
    seek.save(update_fields=["state", "closed_at"])
    escrow.release(seek.hold_id, now)
    _tell(seek)


def _tell(seek: Seek, *others: int) -> None:
    """After the commit, refresh all lists, and the pages of the owner, the invited and `others`."""
    transaction.on_commit(broadcast.seeks_changed)
    people = [seek.owner_id, seek.invited_id, *others]
    transaction.on_commit(partial(broadcast.own_game_changed, set(people)))
