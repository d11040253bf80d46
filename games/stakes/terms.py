"""Costs and payouts of a match for credits. Pure."""

from dataclasses import dataclass

# The house takes 1 / RAKE_DIVISOR of the winner's profit, rounded down to a credit.
RAKE_DIVISOR = 10
MIN_STAKE = 10  # credits
# Credits; the columns of a stake hold at most 2**31 - 1.
MAX_STAKE = 1_000_000
# Stakes in credits, suggested to a player who may not or cannot play for the stake they looked at.
LADDER = (1000, 500, 250, 100, 50, 25, 10)


def rake_of(stake_credits: int) -> int:
    """Return the house's part of a winner's profit."""
    return stake_credits // RAKE_DIVISOR


@dataclass(frozen=True, slots=True)
class StakeTerms:
    """Credits that a match moves: each side's `stake`, the house's `rake`."""

    stake: int
    rake: int

    @classmethod
    def of(cls, stake: int) -> "StakeTerms":
        return cls(stake, rake_of(stake))

    @property
    def payout(self) -> int:
        """Credits that the winner gets, their own stake included."""
        return 2 * self.stake - self.rake

    @property
    def profit(self) -> int:
        """Credits that the winner gains: the opponent's stake less the rake."""
        return self.payout - self.stake


def smaller_stake(credits: int) -> int | None:
    """Return the largest suggested stake within these credits, None below the smallest."""
    return next((stake for stake in LADDER if stake <= credits), None)
