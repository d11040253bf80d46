"""Announce a game."""

from dataclasses import dataclass
from datetime import datetime

from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.selectors import is_online
from accounts.shared import deadlines
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games.engine.rules import Rules
from games.selectors import has_live_stake
from games.stakes import escrow
from games.stakes.terms import rake_of
from lobby import broadcast
from lobby.models import Seek
from lobby.services import notices, requirements, stopping, wishing
from lobby.services.expiry import LIFETIME, SEEKS


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
    hides_stake: bool = False
    is_renewed: bool = False


def announce(owner: User, wanted: Announcement, now: datetime) -> Seek:
    """Announce a game and hold the stake.

    Raises OwnLimit, NoCredits, Frozen, and Refused: `not_member`, `paused`, `stake`, `committed`,
    `busy`, `announced`, `stake_limit` with the `limit` in credits; for a challenge also `oneself`,
    `blocked`, `unavailable`, `asked_often`, `newcomers`, and `ended_early` with `wait_s`.
    """
    requirements.check_member(owner, now)
    requirements.check_stake(wanted.stake_credits)
    requirements.check_commitments(owner.pk, now)
    with write_transaction():
        requirements.lock_members(owner.pk)
        # Blocking locks the owner too: an earlier block is seen here, a later one ends the
        # challenge.
        requirements.check_challenge(owner, wanted.invited_id, now)
        # Joining and agreeing on a rematch lock the account too, so a match begun there is seen.
        escrow.lock_accounts([owner.pk])
        if has_live_stake(owner.pk):
            raise Refused("busy")
        # A match that has ended since the first check may have brought a strike.
        requirements.check_suspension(owner.pk, now)
        if Seek.objects.filter(owner=owner, state=Seek.State.OPEN).exists():
            raise Refused("announced")
        stopping.withdraw_friendly([owner.pk], now)
        seek = _new_seek(owner, wanted, now)
        held = escrow.reserve(
            escrow.ANNOUNCEMENT, seek.public_id, [owner.pk], seek.stake_credits, now
        )
        requirements.check_limit(owner.pk, wanted.stake_credits)
        seek.hold_id = held[owner.pk]
        invited = seek.invited
        seek.reached = invited is not None and is_online(invited, now)
        try:
            with transaction.atomic():
                seek.save()
        except IntegrityError as error:
            raise Refused("announced") from error
        deadlines.note(SEEKS, seek.expires_at)
        notices.tell_challenged(seek, now)
        if seek.access in (Seek.Access.OPEN, Seek.Access.FRIENDS):
            wishing.game_appeared(seek, now)
        broadcast.seek_changed(seek)
    return seek


def is_same(seek: Seek, wanted: Announcement) -> bool:
    """Return whether the game was announced with these choices."""
    asked = _new_seek(seek.owner, wanted, seek.created_at)
    return all(getattr(seek, name) == getattr(asked, name) for name in _CHOICES)


# Fields of a game that the owner chooses. The rake is not one of them: the site may change it.
_CHOICES = (
    "access", "invited_id", "rules", "stake_credits", "least_rating", "most_rating", "is_public",
    "hides_stake", "is_renewed",
)  # fmt: skip


def _new_seek(owner: User, wanted: Announcement, now: datetime) -> Seek:
    return Seek(
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
        hides_stake=wanted.hides_stake,
        is_renewed=wanted.is_renewed,
        created_at=now,
        expires_at=now + LIFETIME,
    )
