"""Stakes from the reservation to the payout.

A hold reserves each stake. The transaction that creates the match captures both holds into its pot;
the transaction that ends the match pays the pot out: to the winner less the rake, or back to both
players.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from accounts.shared.refusals import Refused
from games.engine.sides import Side
from games.models import Match, Seat
from games.stakes import own_limits
from wallet.errors import InsufficientFunds
from wallet.limits.checks import need_losses_allowed
from wallet.limits.errors import OwnLimit
from wallet.money import House
from wallet.selectors import funds_of, reserved_for
from wallet.services import accounts, holds, owed
from wallet.services.locking import lock
from wallet.services.transfers import Cause

STAKE = "stake"
PAYOUT = "stake_payout"
REFUND = "stake_refund"
FEE = "tournament_fee"


@dataclass(frozen=True, slots=True)
class Purpose:
    """The purpose for which credits are reserved.

    `key` is the format of the hold's idempotency key, `reference` that of the ledger's reference.
    `{subject}` is the public id of an announced game, match or tournament, `{payer}` a user id.
    Stored rows contain both: do not change the format of an existing purpose.
    """

    key: str
    reference: str
    cause: str = STAKE


ANNOUNCEMENT = Purpose(key="seek:{subject}", reference="seek:{subject}")
JOIN = Purpose(key="join:{subject}:{payer}", reference="seek:{subject}")
REMATCH = Purpose(key="rematch:{subject}:{payer}", reference="match:{subject}")


def fee_of_entering(number: int) -> Purpose:
    """Return the purpose of a fee: the payer enters the tournament for the `number`th time."""
    key = f"fee:{{subject}}:{{payer}}:{number}"
    return Purpose(key=key, reference="tournament:{subject}", cause=FEE)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision of staff about a match; its players read the reason on their statements."""

    reason: str
    by_id: int


class PotShort(Exception):
    """A match's pot holds less than both stakes: somebody moved its credits by other means."""


class NoCredits(Refused):
    """A payer lacks `shortfall` credits. Only the payer may learn how many."""

    def __init__(self, user_id: int, shortfall: int) -> None:
        super().__init__("no_credits")
        self.user_id = user_id
        self.shortfall = shortfall


def reserve(
    purpose: Purpose, subject: str, payer_ids: Collection[int], credits: int, now: datetime
) -> dict[int, int]:
    """Reserve `credits` of each payer; return the holds' ids by payer.

    Runs in the caller's transaction. Idempotent: the same purpose, subject and payer return the
    first hold. Raises `NoCredits` for too few credits, `OwnLimit` if a payer's own limit or
    exclusion forbids it, and `Frozen` while the credits are frozen. Some holds may be written
    before an error is raised: the caller must let the transaction roll back.

    Lock order: the caller locks the match, its seats and announced games first. This function locks
    the accounts of all payers, by ascending account id. `gather` locks the pot last.
    """
    cause = Cause(purpose.cause, purpose.reference.format(subject=subject))
    hold_ids = {}
    account_ids = lock_accounts(payer_ids)
    guards = own_limits.need_stakes_allowed(list(account_ids), credits, now)
    for payer_id, account_id in account_ids.items():
        key = purpose.key.format(subject=subject, payer=payer_id)
        try:
            hold_ids[payer_id] = holds.open(key, account_id, credits, cause, now).pk
        except InsufficientFunds as error:
            raise NoCredits(payer_id, error.shortfall) from error
    for guard in guards:
        need_losses_allowed(guard, now)
    return hold_ids


def lock_accounts(user_ids: Collection[int]) -> dict[int, int]:
    """Lock the accounts of these users; return the accounts' ids by user.

    One call must lock all of them: two calls could deadlock with another transaction of the same
    users. Call it before `reserve` if the decision to reserve depends on what other transactions of
    these users have reserved or on the matches that they have started.
    """
    account_ids = {user_id: accounts.of_user(user_id).id for user_id in sorted(user_ids)}
    lock(account_ids.values())
    return account_ids


def release(hold_id: int, now: datetime) -> None:
    """Give a reserved stake back. Idempotent; raises HoldResolved if the hold was captured."""
    holds.release(hold_id, now)


def stakable_credits(user_id: int) -> int:
    """Return the credits that the member could stake in a match that starts now.

    Includes the stake reserved for the member's own announcement, which such a match withdraws.
    """
    return funds_of(user_id).available + reserved_for(user_id, STAKE)


def objection(user_id: int, credits: int, now: datetime) -> OwnLimit | None:
    """Return the member's own limit that forbids a match for these credits; None if none does."""
    return own_limits.objection(user_id, credits, now, reserved_for(user_id, STAKE))


def gather(match: Match, hold_ids: Collection[int], now: datetime) -> None:
    """Take both players' reserved stakes into the match's pot."""
    pot = accounts.pot(reference(match))
    cause = Cause(STAKE, reference(match))
    holds.capture(hold_ids, pot.id, f"stake:{match.public_id}", cause, now)


def settle(
    match: Match, seats: Mapping[Side, Seat], now: datetime, ruling: Ruling | None = None
) -> None:
    """Pay the pot out by the match's outcome, once; do nothing for a match without stakes.

    While credits are frozen, the payouts are owed. Raises `PotShort` if the pot lacks credits: the
    caller's transaction rolls back, and the match goes on.
    """
    if not match.policy.is_staked:
        return
    paid = [seats[Side(match.winner)]] if match.winner else list(seats.values())
    pot, paid_accounts = accounts.pot_with_users(
        reference(match), [_user_id(seat) for seat in paid]
    )
    amounts = {pot.id: -2 * match.stake_credits}
    if match.winner:
        cause = Cause(PAYOUT, reference(match))
        credits_each = match.payout_credits
        if match.rake_credits:
            amounts[accounts.house(House.RAKE).id] = match.rake_credits
    else:
        reason, by_id = (ruling.reason, ruling.by_id) if ruling else ("", None)
        cause = Cause(REFUND, reference(match), reason, by_id)
        credits_each = match.stake_credits
    amounts |= {account.id: credits_each for account in paid_accounts.values()}
    try:
        owed.pay(f"settle:{match.public_id}", cause, amounts, now)
    except InsufficientFunds as error:
        raise PotShort(reference(match)) from error


def reference(match: Match) -> str:
    """Return the code of the match's pot, which is also its reference in the ledger."""
    return f"match:{match.public_id}"


def _user_id(seat: Seat) -> int:
    assert seat.user_id is not None  # only members play for credits
    return seat.user_id
