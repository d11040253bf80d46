"""Join an announced game."""

from collections.abc import Collection, Iterable
from datetime import datetime

from django.db.models import Q

from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games.engine.sides import Side
from games.models import Match
from games.services import matches
from games.stakes import escrow
from lobby import broadcast
from lobby.models import AcceptedTerms, Search, Seek
from lobby.selectors import known_terms
from lobby.services import notices, requirements, stopping, withdrawing
from lobby.services.ending import close, lock_accounts_and_new_seeks
from lobby.terms import digest_of


def join(public_id: str, player: User, now: datetime, *, has_agreed: bool = True) -> Match:
    """Join an announced game: its match begins, with both stakes in the pot.

    The joiner's own announcement and the friendly searches of both end in the same transaction.
    Idempotent. Raises Refused (`gone`, `terms` or a code of the module `requirements`) or its
    subclasses NoCredits, OwnLimit and Frozen; nothing has changed then.

    `has_agreed` means that the player saw the terms and pressed again. Without it, a game that is
    not in `selectors.known_terms` is refused (`terms`). A game that its owner's own limits forbid
    is taken back (`gone`).
    """
    try:
        return join_within(public_id, player, now, has_agreed=has_agreed)
    except requirements.OwnerBarred as refusal:
        withdrawing.withdraw_barred(refusal.user_id, now)
        raise


def join_within(public_id: str, player: User, now: datetime, *, has_agreed: bool = True) -> Match:
    """Join as `join` does, in the caller's transaction; at OwnerBarred the caller ends the game."""
    requirements.check_member(player, now)
    with write_transaction():
        requirements.lock_members(player.pk)
        seek, own = _lock_with_own(public_id, player)
        joined = _joined_by(player, seek)
        if joined is not None:
            return joined
        requirements.check_joiner(seek, player, now)
        if not (has_agreed or known_terms(player, [seek])):
            raise Refused("terms")
        own += lock_accounts_and_new_seeks((seek.owner_id, player.pk), [seek, *own])
        requirements.check_meeting(seek, player, now)
        stopping.withdraw_friendly((seek.owner_id, player.pk), now)
        for waiting in own:
            close(waiting, Seek.State.CANCELED, now)
        held = escrow.reserve(escrow.JOIN, seek.public_id, [player.pk], seek.stake_credits, now)
        requirements.check_limit(player.pk, seek.stake_credits)
        requirements.check_owner(seek, now)
        players = {Side.WHITE: seek.owner_id, Side.BLACK: player.pk}
        terms = matches.Terms(
            seek.match_rules,
            seek.stake_credits,
            seek.rake_credits,
            seek.is_public,
            seek.hides_stake,
        )
        match = matches.create_stake(terms, players, [seek.hold_id, held[player.pk]], now)
        seek.state, seek.match, seek.closed_at = Seek.State.JOINED, match, now
        seek.save(update_fields=["state", "match", "closed_at"])
        _remember_terms(seek, players.values(), now)
        notices.drop_challenge(seek)
        notices.tell_joined([seek.owner_id, *_searching(own)], match, now)
        broadcast.seek_changed(seek, player.pk)
    return match


def _searching(own: Collection[Seek]) -> list[int]:
    """Return the joiner's id if one of their announcements belongs to a search.

    The worker may join for such a member (`pairs.join_announced`). If a page of theirs is open, the
    notice is answered and not sent.
    """
    rows = Search.objects.filter(seek__in=own)
    return list(rows.values_list("seek__owner_id", flat=True))


def _remember_terms(seek: Seek, user_ids: Iterable[int], now: datetime) -> None:
    digest = digest_of(seek)
    rows = [AcceptedTerms(user_id=id, digest=digest, accepted_at=now) for id in sorted(user_ids)]
    AcceptedTerms.objects.bulk_create(rows, ignore_conflicts=True)


def _lock_with_own(public_id: str, player: User) -> tuple[Seek, list[Seek]]:
    """Lock the seek to be joined and the joiner's own open one, by ascending id."""
    mine = Q(owner=player, state=Seek.State.OPEN)
    rows = Seek.objects.select_for_update(no_key=True).filter(Q(public_id=public_id) | mine)
    found = list(rows.order_by("id"))
    seek = next((row for row in found if row.public_id == public_id), None)
    if seek is None:
        raise Refused("gone")
    return seek, [row for row in found if row is not seek]


def _joined_by(player: User, seek: Seek) -> Match | None:
    """Return the match if the player has joined already: a second click, or another window."""
    if seek.match is None or seek.owner_id == player.pk:
        return None
    return seek.match if seek.match.seats.filter(user=player).exists() else None
