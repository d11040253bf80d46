"""The credits of a match: the only place in games that calls the wallet.

Both stakes go into the match's pot in the transaction that starts it, and leave it in the one
that ends it: to the winner less the rake, or back to both. The wallet is locked last.
"""

from collections.abc import Mapping
from datetime import datetime

from games.engine.sides import Side
from games.models import Match, Seat
from wallet.models import Account
from wallet.money import House
from wallet.services import accounts, holds, transfers
from wallet.services.transfers import Cause

# One credit in so many of the winner's profit, rounded down in the player's favor.
RAKE_DIVISOR = 10
MIN_STAKE = 10

STAKE = "stake"
PAYOUT = "stake_payout"
REFUND = "stake_refund"


def rake_of(stake_credits: int) -> int:
    """What the house takes of a winner's profit."""
    return stake_credits // RAKE_DIVISOR


def reference(match: Match) -> str:
    return f"match:{match.public_id}"


def gather(match: Match, hold_ids: list[int], now: datetime) -> None:
    """Take both players' held stakes into the match's pot."""
    cause = Cause(STAKE, reference(match))
    holds.capture(hold_ids, _pot(match).id, f"stake:{match.public_id}", cause, now)


def settle(match: Match, seats: Mapping[Side, Seat], now: datetime) -> None:
    """Pay the pot out by the match's outcome, once. A match without stakes has none."""
    if match.kind != Match.Kind.STAKE:
        return
    pot = _pot(match)
    if match.winner:
        amounts = _payout(match, seats[Side(match.winner)], pot)
        cause = Cause(PAYOUT, reference(match))
    else:
        amounts = _refund(match, seats, pot)
        cause = Cause(REFUND, reference(match))
    transfers.post(f"settle:{match.public_id}", cause, amounts, now)


def _payout(match: Match, winner: Seat, pot: Account) -> dict[int, int]:
    pot_credits = 2 * match.stake_credits
    amounts = {pot.id: -pot_credits, _account(winner).id: pot_credits - match.rake_credits}
    if match.rake_credits:
        amounts[accounts.house(House.RAKE).id] = match.rake_credits
    return amounts


def _refund(match: Match, seats: Mapping[Side, Seat], pot: Account) -> dict[int, int]:
    back = {_account(seat).id: match.stake_credits for seat in seats.values()}
    return {pot.id: -2 * match.stake_credits, **back}


def _pot(match: Match) -> Account:
    return accounts.pot(reference(match))


def _account(seat: Seat) -> Account:
    assert seat.user_id is not None  # only members play for credits
    return accounts.of_user(seat.user_id)
