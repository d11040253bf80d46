"""What a game for credits may bring, told before anybody agrees to it."""

from dataclasses import dataclass

from games.services.stakes import rake_of

# What is suggested to who has too little for a stake.
LADDER = (1000, 500, 250, 100, 50, 25, 10)


@dataclass(frozen=True, slots=True)
class Outlook:
    """Credits that a match for a stake moves, seen by either side."""

    stake: int
    rake: int

    @classmethod
    def of(cls, stake: int) -> "Outlook":
        return cls(stake, rake_of(stake))

    @property
    def payout(self) -> int:
        """What the winner gets, his own stake included."""
        return 2 * self.stake - self.rake

    @property
    def best(self) -> int:
        return self.payout - self.stake

    @property
    def worst(self) -> int:
        return -self.stake


def smaller_stake(purse: int) -> int | None:
    """A round stake that so many credits are enough for; None for less than the smallest."""
    return next((stake for stake in LADDER if stake <= purse), None)
