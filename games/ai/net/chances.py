"""Chances of the results of a game: a net's outputs, and the form that the cube model uses."""

from dataclasses import dataclass

# A net's outputs for one side: win, win with mars, with koks, loss with mars, with koks.
Chances = tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Estimate:
    """Chances of one side to win, to win or lose at least a mars, and to win or lose koks."""

    win: float
    mars: float
    mars_against: float
    koks: float = 0.0
    koks_against: float = 0.0

    def seen_by_other(self) -> "Estimate":
        return Estimate(1.0 - self.win, self.mars_against, self.mars, self.koks_against, self.koks)


def estimate_of(chances: Chances) -> Estimate:
    win, mars, koks, mars_against, koks_against = chances
    return Estimate(win, mars, mars_against, koks, koks_against)


def flipped(chances: Chances) -> Chances:
    """Return the same chances as seen by the other side."""
    win, mars, koks, mars_against, koks_against = chances
    return (1.0 - win, mars_against, koks_against, mars, koks)


def bounded(chances: Chances) -> Chances:
    """Clip to 0..1: sums of rounded shares may fall slightly outside."""
    return tuple(min(1.0, max(0.0, each)) for each in chances)
