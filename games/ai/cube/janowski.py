"""The worth of one game as a function of the chance to win it: Janowski's model of the cube.

With a dead cube that is a straight line. With a live one the game ends where the other side would
just drop, and the line runs between those two points. The truth is taken to lie between the
lines, at an efficiency between 0 and 1. Points are worth what `utility` says, so that the same
holds at any score.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise

from games.ai.net.chances import Estimate

Utility = Callable[[int], float]


class Owner(Enum):
    """Who may turn the cube, seen by the side whose worth is asked."""

    US = "us"
    THEM = "them"
    BOTH = "both"


@dataclass(slots=True)
class CubeGame:
    """`utility(points)`: of points won (negative: lost) by us, at the end of the game.

    `may_turn(ours, value)`: whether that side could still turn a cube of the value if it had it.
    `counts(value)`: the most points of a win at cube 1 that count while the cube shows the value.
    `is_urgent(ours, value)`: whether that side turns it at its very next chance or has no reason
    not to, so that nothing of the live cube is lost.
    """

    estimate: Estimate
    utility: Utility
    may_turn: Callable[[bool, int], bool]
    counts: Callable[[int], int]
    is_urgent: Callable[[bool, int], bool]
    _lines: dict[tuple[int, Owner], "_Lines"] = field(init=False, default_factory=dict)

    def worth(self, value: int, owner: Owner, efficiency: float) -> float:
        """With the cube at `value` in those hands, at the chance to win that is estimated."""
        chance, lines = self.estimate.win, self._of(value, owner)
        dead = lines.dead(chance)
        return dead + (1.0 if lines.is_urgent else efficiency) * (lines.live(chance) - dead)

    def cash_point(self, *, ours: bool, value: int) -> float:
        """Our chance at which they just drop our double of `value`, or we just drop theirs.

        As if the cube were fully alive: Janowski puts in the efficiency only at the end.
        """
        taker = Owner.THEM if ours else Owner.US
        dropped = self.utility(value if ours else -value)
        lines = self._of(2 * value, taker)
        corners = [(at, lines.live(at)) for at in (0.0, lines.low, lines.high, 1.0)]
        if corners[0][1] >= dropped:
            return 0.0
        for (left, below), (right, above) in pairwise(corners):
            if above >= dropped > below:
                return left + (right - left) * (dropped - below) / (above - below)
        return 1.0

    def _of(self, value: int, owner: Owner) -> "_Lines":
        found = self._lines.get((value, owner))
        if found is None:
            found = self._lines[(value, owner)] = self._draw(value, owner)
        return found

    def _draw(self, value: int, owner: Owner) -> "_Lines":
        lost, won = self._ends(value)
        low, bottom, high, top = 0.0, lost, 1.0, won
        we_may = owner is not Owner.THEM and self.may_turn(True, value)
        they_may = owner is not Owner.US and self.may_turn(False, value)
        if we_may:
            high, top = self.cash_point(ours=True, value=value), self.utility(value)
        if they_may:
            low, bottom = self.cash_point(ours=False, value=value), self.utility(-value)
        urgent = we_may != they_may and self.is_urgent(we_may, value)
        return _Lines(lost, won, low, bottom, high, top, urgent)

    def _ends(self, value: int) -> tuple[float, float]:
        """The worth of a certain loss and of a certain win, as often mars or koks as expected."""
        found, most = self.estimate, self.counts(value)
        won = self._mean(value, most, found.win, found.mars, found.koks)
        lost = self._mean(-value, most, 1 - found.win, found.mars_against, found.koks_against)
        return lost, won

    def _mean(self, value: int, most: int, chance: float, mars: float, koks: float) -> float:
        single = self.utility(value)
        if most == 1 or chance <= 0:
            return single
        mars, koks = min(mars / chance, 1.0), min(koks / chance, 1.0) if most > 2 else 0.0
        double = self.utility(2 * value)
        mean = single + mars * (double - single)
        return mean + koks * (self.utility(3 * value) - double) if koks else mean


@dataclass(frozen=True, slots=True)
class _Lines:
    """Dead: from `lost` to `won`; live: from `bottom` at `low` to `top` at `high`."""

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
        """Beyond the cash points: towards a certain end, with the cash still to be had later."""
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
