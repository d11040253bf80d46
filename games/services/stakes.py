"""The credits of a match: the only place in games that calls the wallet.

Both stakes go into the match's pot in the transaction that starts it, and leave it in the one
that ends it: to the winner less the rake, or back to both. The wallet is locked last.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime

from games.engine.sides import Side
from games.models import Match, Seat
from wallet.money import House, InsufficientFunds
from wallet.selectors import funds_of
from wallet.services import accounts, holds, transfers
from wallet.services.locking import lock
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


class NoCredits(Exception):
    """A player has less than the stake."""

    def __init__(self, user_id: int) -> None:
        super().__init__(f"user {user_id} has too few credits")
        self.user_id = user_id


def has_credits(user_id: int, credits: int) -> bool:
    """Whether a player could have so much: what he reserved for an announcement comes back."""
    return funds_of(user_id).total >= credits


def hold(old: Match, user_ids: Sequence[int], credits: int, now: datetime) -> list[int]:
    """Reserve the stakes of a rematch; returns the holds. Raises `NoCredits`.

    Both purses are locked at once and in order: one after the other could wait in a circle.
    """
    purses = {user_id: accounts.of_user(user_id).id for user_id in sorted(user_ids)}
    lock(purses.values())
    cause = Cause(STAKE, reference(old))
    hold_ids = []
    for user_id, account_id in purses.items():
        try:
            key = f"rematch:{old.public_id}:{user_id}"
            hold_ids.append(holds.open(key, account_id, credits, cause, now).pk)
        except InsufficientFunds as error:
            raise NoCredits(user_id) from error
    return hold_ids


def gather(match: Match, hold_ids: list[int], now: datetime) -> None:
    """Take both players' held stakes into the match's pot."""
    pot = accounts.pot(reference(match))
    cause = Cause(STAKE, reference(match))
    holds.capture(hold_ids, pot.id, f"stake:{match.public_id}", cause, now)


def settle(match: Match, seats: Mapping[Side, Seat], now: datetime) -> None:
    """Pay the pot out by the match's outcome, once. A match without stakes has none."""
    if not match.policy.is_staked:
        return
    paid = [seats[Side(match.winner)]] if match.winner else list(seats.values())
    pot, purses = accounts.of_pot(reference(match), [_member(seat) for seat in paid])
    amounts = {pot.id: -2 * match.stake_credits}
    if match.winner:
        cause = Cause(PAYOUT, reference(match))
        each = match.payout_credits
        if match.rake_credits:
            amounts[accounts.house(House.RAKE).id] = match.rake_credits
    else:
        cause = Cause(REFUND, reference(match))
        each = match.stake_credits
    amounts |= {purse.id: each for purse in purses.values()}
    transfers.post(f"settle:{match.public_id}", cause, amounts, now)


def _member(seat: Seat) -> int:
    assert seat.user_id is not None  # only members play for credits
    return seat.user_id
