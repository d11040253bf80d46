"""Refills up to the minimum stake, so that no member is stuck for good.

They last until the shop's gifts take over: staff then switch them off in the admin.
"""

from dataclasses import dataclass
from datetime import datetime

from accounts.models import User
from accounts.shared.refusals import Refused
from accounts.shared.transactions import write_transaction
from games.models import Seat
from games.stakes.escrow import lock_accounts
from games.stakes.terms import MIN_STAKE
from wallet.errors import NoRefill
from wallet.selectors import funds_of
from wallet.services import refill


@dataclass(frozen=True, slots=True)
class RefillOffer:
    """The offer on the page of credits: `missing` credits now, or in `wait_s` seconds."""

    missing: int
    wait_s: int
    minimum: int = MIN_STAKE


def give(user: User, now: datetime) -> int:
    """Bring the member up to the minimum stake; return how many credits were given.

    Raises Refused: `not_member`, `busy` while a stake of the member is in play, or a code of
    NoRefill with `refill_` before it; `refill_today` has `wait_s`.
    """
    if not user.is_member:
        raise Refused("not_member")
    with write_transaction():
        lock_accounts([user.pk])
        if _plays_for_credits(user.pk):
            raise Refused("busy")
        before = funds_of(user.pk).total
        try:
            refill.give(user.pk, MIN_STAKE, now)
        except NoRefill as error:
            raise Refused(f"refill_{error.code}", wait_s=error.wait_s) from error
        return funds_of(user.pk).total - before


def offer_of(user: User, now: datetime) -> RefillOffer | None:
    """Return the offer for the page of credits, None while there are no refills."""
    if not user.is_member or not refill.is_given():
        return None
    funds = funds_of(user.pk)
    is_stuck = not (funds.reserved or _plays_for_credits(user.pk))
    missing = max(0, MIN_STAKE - funds.available) if is_stuck else 0
    return RefillOffer(missing, refill.wait_of(user.pk, now) if missing else 0)


def _plays_for_credits(user_id: int) -> bool:
    return Seat.objects.filter(user_id=user_id, is_live_stake=True).exists()
