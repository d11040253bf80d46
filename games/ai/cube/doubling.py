"""Cube decisions: double, take, beaver, at any score and under any rules.

The value of a game comes from `janowski`: points or, in a match, match winning chances (MWC).
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from games.ai.cube.janowski import CubeGame, Owner, Utility
from games.ai.cube.match_equity import draw_worth, utility_of
from games.ai.net.chances import Estimate
from games.engine.match.cube import MAX_VALUE, Cube, cube_refusal_of_beaver, is_dead
from games.engine.match.state import MatchState
from games.engine.sides import Side

# Tolerance for rounding in values that are equal exactly.
_EPSILON = 1e-9


class Efficiency(NamedTuple):
    """Cube efficiency (0 to 1): `ready` while the side on turn may double, `waiting` otherwise."""

    ready: float
    waiting: float


@dataclass(slots=True)
class CubeModel:
    """The cubeful value of one game to `side`.

    `estimate` has the side's chances in a game that is not drawn; `draw` = the chance of a draw.
    """

    state: MatchState
    side: Side
    estimate: Estimate
    efficiency: Efficiency
    draw: float = 0.0
    utility: Utility = field(init=False)
    _game: CubeGame = field(init=False)

    def __post_init__(self) -> None:
        self.utility = utility_of(self.state, self.side)
        self._game = CubeGame(
            self.estimate,
            self.utility,
            lambda ours, value: self.may_turn(self.side if ours else self.side.other, value),
            self.counts,
            self._is_urgent,
        )

    def worth(self, value: int, owner: Side | None) -> float:
        """Return the value of the game to the side, with the cube at `value` and this owner."""
        decided = self._decided(value, owner)
        if not self.draw:
            return decided
        return decided + self.draw * (draw_worth(self.state, self.side) - decided)

    def _decided(self, value: int, owner: Side | None) -> float:
        ready, waiting = self.efficiency
        if owner is None:
            return self._game.worth(value, Owner.BOTH, ready)
        seen_owner = Owner.US if owner is self.side else Owner.THEM
        return self._game.worth(value, seen_owner, ready if owner is self.state.turn else waiting)

    def counts(self, value: int) -> int:
        """Return the most that a win can count, as a multiple of a cube at `value`."""
        rules, cube = self.state.rules, self.state.cube
        if not rules.mars or (rules.jacoby and not cube.is_turned and value <= cube.value):
            return 1
        return 3 if rules.koks else 2

    def may_turn(self, side: Side, value: int) -> bool:
        """Return whether the side, if it had access and the turn, could turn a cube of this value.

        False if the value already wins the match for the side.
        """
        state = self.state
        if not state.rules.cube or state.crawford or value * 2 > MAX_VALUE:
            return False
        return not self._wins_match(side, value)

    def _is_urgent(self, ours: bool, value: int) -> bool:
        """Return whether a side doubles at once, since losing this game loses the match anyway.

        False for the side on turn, whose decision is to be judged.
        """
        side = self.side if ours else self.side.other
        return side is not self.state.turn and self._wins_match(side.other, value)

    def _wins_match(self, side: Side, value: int) -> bool:
        return is_dead(Cube(value), self.state.score[side], self.state.rules.length)


@dataclass(frozen=True, slots=True)
class Options:
    """Values to the side on turn, which may double or has just doubled.

    `hold` is the value without a double; `stake` is half of the difference between winning and
    losing the cube's value, in the same unit.
    """

    hold: float
    taken: float
    dropped: float
    beaver_allowed: bool
    beaver_taken: float
    beaver_dropped: float
    stake: float

    @property
    def beaver(self) -> float | None:
        """The value after a beaver and its best answer; None if the rules allow none."""
        return max(self.beaver_taken, self.beaver_dropped) if self.beaver_allowed else None

    @property
    def doubled(self) -> float:
        """The value after a double and its best answer."""
        answers = (self.taken, self.dropped, self.beaver)
        return min(answer for answer in answers if answer is not None)


def options(model: CubeModel) -> Options:
    """Return the options of the model's side, which must be on turn."""
    cube, side = model.state.cube, model.side
    value, utility = cube.value, model.utility
    return Options(
        hold=model.worth(value, cube.owner),
        taken=model.worth(2 * value, side.other),
        dropped=utility(value),
        beaver_allowed=cube_refusal_of_beaver(cube, model.state.rules) is None,
        beaver_taken=model.worth(4 * value, side.other),
        beaver_dropped=utility(-2 * value),
        stake=(utility(value) - utility(-value)) / 2,
    )


def should_double(found: Options, margin: float = 0.0) -> bool:
    """Return whether to double; `margin` is the gain required, in parts of the stake."""
    return found.doubled > found.hold + margin * found.stake + _EPSILON


def should_take(found: Options, margin: float = 0.0) -> bool:
    """Return whether to take; `margin` is the gain required, in parts of the stake."""
    return found.taken <= found.dropped - margin * found.stake


def should_beaver(found: Options) -> bool:
    """Return whether the doubled side gains by turning the cube once more."""
    return found.beaver is not None and found.beaver < min(found.taken, found.dropped) - _EPSILON


def should_take_beaver(found: Options) -> bool:
    """Return whether the doubler should take a beaver rather than lose twice the old value."""
    return found.beaver_taken >= found.beaver_dropped
