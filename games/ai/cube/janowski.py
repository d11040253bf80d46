"""Janowski's cube model: the value of one game as a function of the winning chance.

With a dead cube the function is a straight line. With a fully live cube it is a line between the
cash points, the chances beyond which a double is dropped. The cubeful value lies between the two
lines: on the dead line at efficiency 0, on the live line at 1. `utility` maps points to value, so
the model holds at any score.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

from games.ai.net.chances import Estimate

Utility = Callable[[int], float]


class Owner(Enum):
    """The cube's owner, seen by the side whose value is computed."""

    US = "us"
    THEM = "them"
    BOTH = "both"


@dataclass(slots=True)
class CubeGame:
    """One game, in the view of the side whose value is computed ("we").

    `ours` is True for our side, False for the other.

    `utility(points)`: value of points won (negative: lost) at the end of the game.
    `may_turn(ours, value)`: whether the side could still turn a cube of this value if it owned it.
    `counts(value)`: the most that a win counts, in multiples of the cube, at this cube value.
    `is_urgent(ours, value)`: whether the side doubles at its next chance since it risks nothing;
    then the cube is fully live.
    """

    estimate: Estimate
    utility: Utility
    may_turn: Callable[[bool, int], bool]
    counts: Callable[[int], int]
    is_urgent: Callable[[bool, int], bool]
    _lines: dict[tuple[int, Owner], "_Lines"] = field(init=False, default_factory=dict)

    def worth(self, value: int, owner: Owner, efficiency: float) -> float:
        """Return the cubeful value at the estimated winning chance, with this cube and owner."""
        chance, lines = self.estimate.win, self._lines_of(value, owner)
        dead = lines.dead(chance)
        return dead + (1.0 if lines.is_urgent else efficiency) * (lines.live(chance) - dead)

    def cash_point(self, *, ours: bool, value: int) -> float:
        """Return our winning chance at which taking and dropping a double are equal.

        The double is ours if `ours`, else theirs. The cube counts as fully live: Janowski applies
        the efficiency to the final value only.
        """
        taker = Owner.THEM if ours else Owner.US
        dropped = self.utility(value if ours else -value)
        lines = self._lines_of(2 * value, taker)
        corners = [(at, lines.live(at)) for at in (0.0, lines.low, lines.high, 1.0)]
        if corners[0][1] >= dropped:
            return 0.0
        for (left, below), (right, above) in pairwise(corners):
            if above >= dropped > below:
                return left + (right - left) * (dropped - below) / (above - below)
        return 1.0

    def _lines_of(self, value: int, owner: Owner) -> "_Lines":
        found = self._lines.get((value, owner))
        if found is None:
            found = self._lines[(value, owner)] = self._new_lines(value, owner)
        return found

    def _new_lines(self, value: int, owner: Owner) -> "_Lines":
        lost, won = self._sure_results(value)
        low, bottom, high, top = 0.0, lost, 1.0, won
        we_may = owner is not Owner.THEM and self.may_turn(True, value)
        they_may = owner is not Owner.US and self.may_turn(False, value)
        if we_may:
            high, top = self.cash_point(ours=True, value=value), self.utility(value)
        if they_may:
            low, bottom = self.cash_point(ours=False, value=value), self.utility(-value)
        urgent = we_may != they_may and self.is_urgent(we_may, value)
        return _Lines(lost, won, low, bottom, high, top, urgent)

    def _sure_results(self, value: int) -> tuple[float, float]:
        """Return the values of a sure loss and a sure win, at the expected mars and koks rates."""
        found, most = self.estimate, self.counts(value)
        won = self._mean_result(value, most, found.win, found.mars, found.koks)
        lost = self._mean_result(
            -value, most, 1 - found.win, found.mars_against, found.koks_against
        )
        return lost, won

    def _mean_result(self, value: int, most: int, chance: float, mars: float, koks: float) -> float:
        single = self.utility(value)
        if most == 1 or chance <= 0:
            return single
        mars, koks = min(mars / chance, 1.0), min(koks / chance, 1.0) if most > 2 else 0.0
        gammon = self.utility(2 * value)
        mean = single + mars * (gammon - single)
        return mean + koks * (self.utility(3 * value) - gammon) if koks else mean


@dataclass(frozen=True, slots=True)
class _Lines:
    """Ends of both lines: `lost`, `won` (dead cube); `bottom` at `low`, `top` at `high` (live)."""

    lost: float
    won: float
    low: float
    bottom: float
    high: float
    top: float
    is_urgent: bool

    def dead(self, chance: float) -> float:
        return self.lost + (self.won - self.lost) * chance

    def live(self, chance: float) -> float:
        """Return the live-cube value; beyond the cash points, a line to the certain result."""
        corners = (
            (0.0, self.lost),
            (self.low, self.bottom),
            (self.high, self.top),
            (1.0, self.won),
        )
        for (left, below), (right, above) in pairwise(corners):
            if chance <= right and right > left:
                return below + (above - below) * (chance - left) / (right - left)
        return self.won
