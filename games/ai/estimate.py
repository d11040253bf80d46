"""What an evaluation says of a position."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """Chances of one side: to win at all, to win a mars at least, to lose one; likewise koks."""

    win: float
    mars: float
    mars_against: float
    koks: float = 0.0
    koks_against: float = 0.0

    def seen_by_other(self) -> "Estimate":
        return Estimate(1.0 - self.win, self.mars_against, self.mars, self.koks_against, self.koks)

    def equity(self, mars_value: float = 1.0, mars_cost: float = 1.0) -> float:
        """Expected points of a game at cube 1; the weights say what a mars adds."""
        won = 2.0 * self.win - 1.0 + mars_value * self.mars - mars_cost * self.mars_against
        return won + self.koks - self.koks_against
