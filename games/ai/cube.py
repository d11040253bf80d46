"""Doubling: Janowski's model of a cube between dead and fully alive, at any score.

The position gives a chance to win and the share of mars on both sides. With a dead cube the
worth of the game is a straight line in that chance. With a live one the game ends where the
other side would just drop. The truth is taken to lie between the two, at `EFFICIENCY`.
"""

from dataclasses import dataclass, field

from games.ai.estimate import Estimate
from games.ai.match_equity import Utility, utility_of
from games.engine.cube import MAX_VALUE
from games.engine.sides import Side
from games.engine.state import MatchState, of

EFFICIENCY = 0.66
RACE_EFFICIENCY = 0.55
# The last rolls leave no time to turn the cube again.
LAST_ROLLS_EFFICIENCY = 0.15


@dataclass(slots=True)
class CubeModel:
    """The worth of one game to `side` as a function of its chance to win it."""

    state: MatchState
    side: Side
    estimate: Estimate
    efficiency: float
    utility: Utility = field(init=False)
    _cash: dict[tuple[bool, int], float] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.utility = utility_of(self.state, self.side)

    def worth(self, value: int, owner: Side | None) -> float:
        """What the game is worth to the side with the cube at `value` in those hands."""
        return self._at(self.estimate.win, value, owner)

    def dropped(self, value: int, *, by_us: bool) -> float:
        """What it is worth when a cube offered at `value` is dropped."""
        return self.utility(-value if by_us else value)

    def _at(self, chance: float, value: int, owner: Side | None) -> float:
        bottom, top = self._ends(value)
        dead = bottom + (top - bottom) * chance
        low, high = 0.0, 1.0
        if owner is not self.side.other and self._may_turn(self.side, value):
            high, top = self._cash_point(True, value), self.utility(value)
        if owner is not self.side and self._may_turn(self.side.other, value):
            low, bottom = self._cash_point(False, value), self.utility(-value)
        if chance >= high:
            live = max(top, dead)
        elif chance <= low:
            live = min(bottom, dead)
        else:
            live = bottom + (top - bottom) * (chance - low) / (high - low)
        return dead + self.efficiency * (live - dead)

    def _ends(self, value: int) -> tuple[float, float]:
        """The worth of a certain loss and of a certain win, mars included as often as expected."""
        estimate = self.estimate
        mars = estimate.mars / estimate.win if estimate.win > 0 else 0.0
        against = estimate.mars_against / (1 - estimate.win) if estimate.win < 1 else 0.0
        if not self._mars_counts(value):
            mars = against = 0.0
        lost = (1 - against) * self.utility(-value) + against * self.utility(-2 * value)
        won = (1 - mars) * self.utility(value) + mars * self.utility(2 * value)
        return lost, won

    def _mars_counts(self, value: int) -> bool:
        rules, cube = self.state.rules, self.state.cube
        if not rules.mars:
            return False
        return not rules.jacoby or cube.is_turned or value > cube.value

    def _may_turn(self, side: Side, value: int) -> bool:
        state = self.state
        if not state.rules.cube or state.crawford or value * 2 > MAX_VALUE:
            return False
        length = state.rules.length
        return length is None or of(state.score, side) + value < length

    def _cash_point(self, ours: bool, value: int) -> float:
        """Our chance at which the other side just drops our double, or we just drop theirs."""
        found = self._cash.get((ours, value))
        if found is None:
            taker = self.side.other if ours else self.side
            dropped = self.dropped(value, by_us=not ours)
            low, high = 0.0, 1.0
            for _ in range(30):
                middle = (low + high) / 2
                if self._at(middle, 2 * value, taker) < dropped:
                    low = middle
                else:
                    high = middle
            found = self._cash[(ours, value)] = (low + high) / 2
        return found


def should_double(model: CubeModel, nerve: float = 0.0) -> bool:
    """Whether the side on roll does better by doubling; `nerve` > 0 asks for a clear gain."""
    cube = model.state.cube
    taken = model.worth(cube.value * 2, model.side.other)
    dropped = model.dropped(cube.value, by_us=False)
    stake = _stake(model, cube.value)
    return min(taken, dropped) > model.worth(cube.value, cube.owner) + nerve * stake + 1e-9


def should_take(model: CubeModel, nerve: float = 0.0) -> bool:
    """Whether the side that was doubled does better by playing on; `nerve` > 0 = timid."""
    value = model.state.cube.value
    taken = model.worth(value * 2, model.side)
    return taken >= model.dropped(value, by_us=True) + nerve * _stake(model, value)


def should_beaver(model: CubeModel) -> bool:
    """Whether the side that was doubled is the better one even so, and clearly."""
    value = model.state.cube.value
    return model.estimate.win > 0.52 and model.worth(value * 4, model.side) > model.worth(
        value * 2, model.side
    )


def should_take_beaver(model: CubeModel) -> bool:
    """Whether the doubler plays on after a beaver instead of losing twice the old value."""
    value = model.state.cube.value
    return model.worth(value * 4, model.side.other) >= model.dropped(2 * value, by_us=True)


def _stake(model: CubeModel, value: int) -> float:
    return (model.utility(value) - model.utility(-value)) / 2
