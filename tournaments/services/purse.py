"""Credits of a tournament: fees are reserved, taken into its pot, given back, or paid out."""

from collections.abc import Collection, Mapping
from datetime import datetime

from games.stakes import escrow
from tournaments.models import Entrant, Tournament
from wallet.money import House
from wallet.services import accounts, holds, owed
from wallet.services.transfers import Cause

PRIZE = "tournament_prize"
REFUND = "tournament_refund"


def reserve_fee(tournament: Tournament, user_id: int, number: int, now: datetime) -> int | None:
    """Reserve the fee of a user who enters for the `number`th time; return the hold's id.

    Return None for a free tournament. Raises NoCredits, OwnLimit and Frozen.
    """
    if not tournament.fee_credits:
        return None
    purpose = escrow.fee_of_entering(number)
    held = escrow.reserve(purpose, tournament.public_id, [user_id], tournament.fee_credits, now)
    return held[user_id]


def release_fees(entrants: Collection[Entrant], now: datetime) -> None:
    """Give the reserved fees back. Locks all payers' accounts at once, in the wallet's order."""
    paying = [entrant for entrant in entrants if entrant.hold_id is not None]
    escrow.lock_accounts([entrant.user_id for entrant in paying])
    for entrant in paying:
        assert entrant.hold_id is not None
        escrow.release(entrant.hold_id, now)


def gather(tournament: Tournament, entrants: Collection[Entrant], now: datetime) -> None:
    """Take all reserved fees into the tournament's pot."""
    hold_ids = [entrant.hold_id for entrant in entrants if entrant.hold_id is not None]
    if hold_ids:
        pot = accounts.pot(tournament.reference)
        cause = Cause(escrow.FEE, tournament.reference)
        holds.capture(hold_ids, pot.id, f"fees:{tournament.public_id}", cause, now)


def refund(
    tournament: Tournament, entrants: Collection[Entrant], reason: str, by_id: int, now: datetime
) -> None:
    """Pay the pot of a void tournament back to those who paid into it."""
    payers = [entrant for entrant in entrants if entrant.hold_id is not None]
    if not payers:
        return
    pot = accounts.pot(tournament.reference)
    amounts = {accounts.of_user(payer.user_id).id: tournament.fee_credits for payer in payers}
    amounts[pot.id] = -tournament.fee_credits * len(payers)
    cause = Cause(REFUND, tournament.reference, reason, by_id)
    owed.pay(f"tournament_refund:{tournament.public_id}", cause, amounts, now)


def pay(tournament: Tournament, shares: Mapping[int, int], now: datetime) -> None:
    """Pay shares out of the pot; `shares` are credits by user id. Idempotent.

    The site keeps the rest of the pot, or adds the credits that the pot lacks.
    """
    amounts = {accounts.of_user(id).id: credits for id, credits in sorted(shares.items())}
    collected = fees_of(tournament)
    if collected:
        amounts[accounts.pot(tournament.reference).id] = -collected
    left = collected - sum(shares.values())
    if left:
        amounts[accounts.house(House.TOURNAMENTS).id] = left
    key = f"tournament_prize:{tournament.public_id}"
    owed.pay(key, Cause(PRIZE, tournament.reference), amounts, now)


def fees_of(tournament: Tournament) -> int:
    """Return the sum of the fees of a tournament that has started."""
    drawn = Entrant.objects.filter(pk__in=tournament.entrant_ids, hold__isnull=False)
    return tournament.fee_credits * drawn.count()
