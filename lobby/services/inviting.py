"""Friendly matches by a link or a challenge: invite, accept, decline, cancel.

Lock order: the members (as closing an account does), the invitation, the searches of both people,
the announcements and accounts of both members, then the new match.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.people.locks import lock_people
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games import broadcast
from games.engine.rules import Rules
from games.engine.sides import Side
from games.models import Match
from games.models.actor import Actor, find_seat
from games.selectors import has_live_stake
from games.services import matches
from lobby.broadcast import challenge_changed, lists_changed
from lobby.models import Invitation
from lobby.response_rate import COUNTED_FOR
from lobby.selectors import is_blocked
from lobby.services import ending, notices, stopping

# An invitation ends this long after it was made.
LIFETIME = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Offer:
    """The maker's choices; `guest_name` is empty for a member."""

    rules: Rules
    is_public: bool = False
    guest_name: str = ""


def invite(
    maker: Actor, offer: Offer, now: datetime, invited_id: int | None = None, reached: bool = False
) -> Invitation:
    """Make a link for one other person, or a challenge to the member `invited_id`.

    Raises `Refused("invited")` while an earlier invitation of the maker is open. Challenges come
    from `challenging.challenge`, which checks them.
    """
    with write_transaction():
        _expire(_locked_open_of(maker), now)
        try:
            with transaction.atomic():
                return Invitation.objects.create(
                    maker_id=maker.user_id,
                    guest=maker.guest,
                    guest_name=offer.guest_name,
                    invited_id=invited_id,
                    reached=reached,
                    variant=offer.rules.variant.value,
                    rules=offer.rules.to_dict(),
                    is_public=offer.is_public,
                    created_at=now,
                    expires_at=now + LIFETIME,
                )
        except IntegrityError as error:
            raise Refused("invited") from error


def accept(public_id: str, player: Actor, guest_name: str, now: datetime) -> Match:
    """Begin the match between the maker and the player. Idempotent.

    Raises Refused: `own`; `gone` if the invitation is over, taken or for another member, if an
    account is closed or banned, or if one of two members blocks the other; `playing` while the
    player is in a match for credits, `maker_playing` while the maker is.
    """
    with write_transaction():
        have_accounts = _lock_members(public_id, player)
        invitation = _lock(public_id)
        if invitation.by == player:
            raise Refused("own")
        if not is_for(invitation, player):
            raise Refused("gone")
        if invitation.match is not None and find_seat(invitation.match.seats.all(), player):
            return invitation.match
        if not (have_accounts and is_open(invitation, now)) or is_blocked(invitation, player):
            raise Refused("gone")
        stopping.withdraw(invitation.by, now)
        stopping.withdraw(player, now)
        _free_both(invitation, player, now)
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
    """Cancel an invitation of the maker. Idempotent. Raises Refused("gone") if it was accepted."""
    with write_transaction():
        invitation = _lock(public_id)
        if invitation.by != maker or invitation.state == Invitation.State.ACCEPTED:
            raise Refused("gone")
        if invitation.state == Invitation.State.OPEN:
            _close(invitation, Invitation.State.CANCELED, now)


def decline(public_id: str, person: User, now: datetime) -> None:
    """Decline a challenge; its maker is notified. Idempotent.

    Raises Refused("gone") if it is over or the person was not challenged.
    """
    with write_transaction():
        invitation = _lock(public_id)
        if invitation.invited_id != person.pk:
            raise Refused("gone")
        if invitation.state == Invitation.State.DECLINED:
            return
        if not is_open(invitation, now):
            raise Refused("gone")
        _close(invitation, Invitation.State.DECLINED, now)


def end_between(person_id: int, other_id: int, now: datetime) -> None:
    """Decline the other's challenge to the person, and cancel the person's to the other.

    Runs in the caller's transaction, which has locked both members.
    """
    pair = (person_id, other_id)
    states = Invitation.State
    rows = Invitation.objects.select_for_update(no_key=True).order_by("pk")
    rows = rows.filter(state=states.OPEN, expires_at__gt=now)
    for invitation in rows.filter(maker__in=pair, invited__in=pair):
        is_own = invitation.maker_id == person_id
        _close(invitation, states.CANCELED if is_own else states.DECLINED, now)


def withdraw(person: Actor, now: datetime) -> None:
    """Cancel the person's open invitation and the challenges to them.

    Runs in the caller's transaction.
    """
    for invitation in _locked_open_of(person):
        _close(invitation, Invitation.State.CANCELED, now)
    if person.user_id is not None:
        rows = Invitation.objects.select_for_update(no_key=True).order_by("pk")
        for invitation in rows.filter(invited=person.user_id, state=Invitation.State.OPEN):
            _close(invitation, Invitation.State.CANCELED, now)


def forget(before: datetime) -> int:
    """Delete the invitations without a match that ended before a time; return how many.

    Challenges are kept while `response_rate.py` counts them.
    """
    unused = Invitation.objects.filter(match__isnull=True, expires_at__lt=before)
    counted = Q(invited__isnull=False, created_at__gt=before - COUNTED_FOR)
    return unused.exclude(counted).delete()[0]


def is_open(invitation: Invitation, now: datetime) -> bool:
    return invitation.state == Invitation.State.OPEN and invitation.expires_at > now


def is_same(invitation: Invitation, offer: Offer, invited_id: int | None = None) -> bool:
    """Return whether the invitation was made with this offer and for this member (None: a link)."""
    made = Offer(invitation.match_rules, invitation.is_public, invitation.guest_name)
    return (made, invitation.invited_id) == (offer, invited_id)


def is_for(invitation: Invitation, person: Actor) -> bool:
    """Return whether the invitation is for the person; a challenge is for its two people only."""
    return invitation.invited_id is None or person.user_id in (
        invitation.maker_id,
        invitation.invited_id,
    )


def _lock_members(public_id: str, player: Actor) -> bool:
    """Lock maker and player if they are members; return False if an account is closed or banned."""
    maker_id = Invitation.objects.values_list("maker_id", flat=True).filter(public_id=public_id)
    return lock_people(*(id for id in (maker_id.first(), player.user_id) if id is not None))


def _lock(public_id: str) -> Invitation:
    rows = Invitation.objects.select_for_update(no_key=True, of=("self",))
    found = rows.select_related("match").filter(public_id=public_id).first()
    if found is None:
        raise Refused("gone")
    return found


def _locked_open_of(maker: Actor) -> QuerySet[Invitation]:
    rows = Invitation.objects.select_for_update(no_key=True).filter(state=Invitation.State.OPEN)
    if maker.user_id is not None:
        return rows.filter(maker_id=maker.user_id)
    return rows.filter(guest=maker.guest)


def _expire(invitations: QuerySet[Invitation], now: datetime) -> None:
    for invitation in invitations.filter(expires_at__lte=now):
        _close(invitation, Invitation.State.EXPIRED, now)


def _free_both(invitation: Invitation, player: Actor, now: datetime) -> None:
    """Take back the announcements of both; raise Refused if one of them plays for credits."""
    user_ids = [id for id in (invitation.maker_id, player.user_id) if id is not None]
    if not user_ids:
        return
    ending.withdraw(user_ids, now)
    if player.user_id is not None and has_live_stake(player.user_id):
        raise Refused("playing")
    if invitation.maker_id is not None and has_live_stake(invitation.maker_id):
        raise Refused("maker_playing")


def _close(
    invitation: Invitation, state: Invitation.State, now: datetime, match: Match | None = None
) -> None:
    invitation.state, invitation.closed_at, invitation.match = state, now, match
    invitation.save(update_fields=["state", "closed_at", "match"])
    if invitation.invited_id is not None:
        notices.drop_challenge(invitation)
        challenge_changed(invitation)
