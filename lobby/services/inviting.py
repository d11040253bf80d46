"""Friendly matches by a link: invite, accept, cancel.

Locks: the invitation, the searches of both, the announcements and accounts of both members, then
the new match.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games import broadcast
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match
from games.models.actor import Actor, find_seat
from games.selectors import has_live_stake
from games.services import matches
from lobby.broadcast import lists_changed
from lobby.models import Invitation
from lobby.selectors import is_blocked
from lobby.services import ending, notices, stopping

# An invitation ends this long after it was made.
LIFETIME = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Wish:
    """The maker's choices; `guest_name` is empty for a member."""

    rules: Rules
    is_public: bool = False
    guest_name: str = ""


def invite(maker: Actor, wish: Wish, now: datetime) -> Invitation:
    """Make a link for one other person.

    Raises `Refused("invited")` while an earlier invitation of the maker is open.
    """
    with write_transaction():
        _expire(_open_of(maker), now)
        try:
            with transaction.atomic():
                return Invitation.objects.create(
                    maker_id=maker.user_id,
                    guest=maker.guest,
                    guest_name=wish.guest_name,
                    variant=wish.rules.variant.value,
                    rules=wish.rules.to_dict(),
                    is_public=wish.is_public,
                    created_at=now,
                    expires_at=now + LIFETIME,
                )
        except IntegrityError as error:
            raise Refused("invited") from error


def accept(public_id: str, player: Actor, guest_name: str, now: datetime) -> Match:
    """Begin the match between the maker and the player. Idempotent.

    Raises Refused: `own`; `gone` when it is over, taken, or one of two members blocks the other;
    `playing` while the player is in a match for credits, `maker_playing` while the maker is.
    """
    with write_transaction():
        invitation = _lock(public_id)
        if invitation.by == player:
            raise Refused("own")
        if invitation.match is not None and find_seat(invitation.match.seats.all(), player):
            return invitation.match
        if not is_open(invitation, now) or is_blocked(invitation, player):
            raise Refused("gone")
        stopping.withdraw(invitation.by, now)
        stopping.withdraw(player, now)
        _need_free(invitation, player, now)
        match = matches.create_friendly(
            invitation.match_rules,
            {Side.WHITE: invitation.by, Side.BLACK: player},
            now,
            is_public=invitation.is_public,
            guest_names={Side.WHITE: invitation.guest_name, Side.BLACK: guest_name},
        )
        _close(invitation, Invitation.State.ACCEPTED, now, match)
        notices.tell_joined([invitation.maker_id], match, now)
        broadcast.nudge_players(match.seats.all(), match.public_id)
        if match.is_public:
            lists_changed()
    return match


def cancel(public_id: str, maker: Actor, now: datetime) -> None:
    """Cancel an invitation of the maker. Idempotent. Raises `Refused("gone")` once accepted."""
    with write_transaction():
        invitation = _lock(public_id)
        if invitation.by != maker or invitation.state == Invitation.State.ACCEPTED:
            raise Refused("gone")
        if invitation.state == Invitation.State.OPEN:
            _close(invitation, Invitation.State.CANCELED, now)


def withdraw(maker: Actor, now: datetime) -> None:
    """Cancel the maker's open invitation, in the caller's transaction."""
    for invitation in _open_of(maker):
        _close(invitation, Invitation.State.CANCELED, now)


def forget(before: datetime) -> int:
    """Delete the invitations that led to no match and ended before; return how many."""
    unused = Invitation.objects.filter(match__isnull=True, expires_at__lt=before)
    return unused.delete()[0]


def is_open(invitation: Invitation, now: datetime) -> bool:
    return invitation.state == Invitation.State.OPEN and invitation.expires_at > now


def _lock(public_id: str) -> Invitation:
    rows = Invitation.objects.select_for_update(no_key=True, of=("self",))
    found = rows.select_related("match").filter(public_id=public_id).first()
    if found is None:
        raise Refused("gone")
    return found


def _open_of(maker: Actor) -> QuerySet[Invitation]:
    rows = Invitation.objects.select_for_update(no_key=True).filter(state=Invitation.State.OPEN)
    if maker.user_id is not None:
        return rows.filter(maker_id=maker.user_id)
    return rows.filter(guest=maker.guest)


def _expire(invitations: QuerySet[Invitation], now: datetime) -> None:
    for invitation in invitations.filter(expires_at__lte=now):
        _close(invitation, Invitation.State.EXPIRED, now)


def _need_free(invitation: Invitation, player: Actor, now: datetime) -> None:
    """Take back the announcements of both; raise Refused if one of them plays for credits."""
    user_ids = [id for id in (invitation.maker_id, player.user_id) if id is not None]
    if not user_ids:
        return
    ending.withdraw(user_ids, now)
    if player.user_id is not None and has_live_stake(player.user_id):
        raise Refused("playing")
    if invitation.maker_id is not None and has_live_stake(invitation.maker_id):
        raise Refused("maker_playing")
    members = User.objects.filter(pk__in=user_ids, is_active=True, closed_at__isnull=True)
    if members.count() < len(user_ids):
        raise Refused("gone")


def _close(
    invitation: Invitation, state: Invitation.State, now: datetime, match: Match | None = None
) -> None:
    invitation.state, invitation.closed_at, invitation.match = state, now, match
    invitation.save(update_fields=["state", "closed_at", "match"])
