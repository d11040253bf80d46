"""Cubeful equity of positions for one side, in points of a game at the cube on the table.

In a match, winning chances are normalized by the chances after winning and after losing the value
of the cube, so that a point means the same at every score. After a turn the other side doubles if
that is best for it (`doubling.CubeModel`). If neither side can turn the cube any more, the equity
is the mean over the results of the game.

Under parity the side that began has not won yet when it has borne off: the other side has
one more turn, so every roll of that turn is played out.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from games.ai.cube import evaluation, parity
from games.ai.cube.doubling import CubeModel
from games.ai.cube.janowski import Utility
from games.ai.cube.match_equity import draw_worth, stakes_of, utility_of
from games.ai.kernel import game
from games.ai.kernel.bits import IntArray
from games.ai.net.boards import position_of
from games.ai.net.chances import Chances, Estimate, estimate_of, flipped
from games.ai.net.player import NetPlayer
from games.ai.net.rolls import ROLL_WEIGHTS, ROLLS
from games.ai.net.search import Stakes
from games.ai.net.weights_files import VARIANTS
from games.engine.board.legal import legal_results
from games.engine.board.position import Position
from games.engine.board.variants import CHECKERS, OFF
from games.engine.match.permissions import is_first_turn
from games.engine.match.scoring import borne_off
from games.engine.match.state import MatchState, Phase
from games.engine.sides import Side

# Chances after a win of 1, 2 and 3 points, and after a draw.
WON = ((1.0, 0.0, 0.0, 0.0, 0.0), (1.0, 1.0, 0.0, 0.0, 0.0), (1.0, 1.0, 1.0, 0.0, 0.0))
DRAWN = (0.5, 0.0, 0.0, 0.0, 0.0)
CERTAIN = estimate_of(WON[0])


@dataclass(slots=True)
class EquityModel:
    """Equities of one side at one moment, from the state's score, cube and rules.

    `stake` is the value of a point in units of `utility`. Under parity equities also depend on the
    side that moved first and on whether this is the last turn.
    """

    state: MatchState
    side: Side
    utility: Utility = field(init=False)
    stake: float = field(init=False)
    _middle: float = field(init=False)

    def __post_init__(self) -> None:
        self.utility = utility_of(self.state, self.side)
        value = self.state.cube.value
        won, lost = self.utility(value), self.utility(-value)
        self.stake, self._middle = (won - lost) / 2, (won + lost) / 2

    def to_points(self, worth: float) -> float:
        """Convert a value in units of `utility` to points; 0 if nothing is at stake."""
        return (worth - self._middle) / self.stake if self.stake else 0.0

    def from_points(self, points: float) -> float:
        """Convert points back to units of `utility`."""
        return self._middle + self.stake * points

    def stakes(self) -> Stakes:
        """Return the cubeless stakes of the search."""
        return stakes_of(self.state, self.utility)

    def after(self, board: IntArray, chances: Chances) -> float:
        """Return the equity after this side has played to the board; `chances` are the side's."""
        variant, rules = VARIANTS[self.state.rules.variant], self.state.rules
        module = game.MODULES[variant]
        points = module.finished(board, module.kinds_of(rules))
        if rules.parity and (points or self.state.last_turn):
            return self._at_the_end(board)
        if points:
            value = self.state.cube.value
            most = self._model(CERTAIN, board).counts(value)
            return self.to_points(self.utility(value * min(points, most)))
        return self.to_points(self._worth_after_choice(self._model(estimate_of(chances), board)))

    def draw(self) -> float:
        """Return the equity of a drawn game."""
        return self.to_points(draw_worth(self.state, self.side))

    def _model(self, found: Estimate, board: IntArray) -> CubeModel:
        variant = VARIANTS[self.state.rules.variant]
        seen = np.empty(26, np.int8)
        game.MODULES[variant].flip(board, seen)
        later = replace(self.state, turn=self.side.other, dice=None, phase=Phase.TO_ROLL)
        return CubeModel(later, self.side, found, evaluation.efficiency(variant, seen))

    def _worth_after_choice(self, model: CubeModel) -> float:
        """Return the value to this side when the other side doubles if that is best for it."""
        value, owner = self.state.cube.value, self.state.cube.owner
        held = model.worth(value, owner)
        if owner is self.side or not model.may_turn(self.side.other, value):
            return held
        return min(held, max(model.worth(2 * value, self.side), self.utility(-value)))

    def _at_the_end(self, board: IntArray) -> float:
        """Return the equity under parity, once a side has borne off."""
        position = position_of(board, self.side, self.state.rules.variant)
        if self.state.last_turn or self.side is not self.state.first:
            return self._ended(position)
        later = replace(self.state, turn=self.side.other, position=position)
        return sum(
            weight / 36 * min(self._ended(after) for after in _results(later, dice))
            for dice, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True)
        )

    def _ended(self, position: Position) -> float:
        """Return the equity of a game that is over under parity."""
        done = [side for side in Side if position.of(side)[OFF] == CHECKERS]
        if len(done) == 2:
            return self.draw()
        result = borne_off(position, done[0], self.state.rules, self.state.cube)
        won = result.points if done[0] is self.side else -result.points
        return self.to_points(self.utility(won))


def chances_after(state: MatchState, board: IntArray, player: NetPlayer) -> Chances:
    """Return the mover's chances after the play: at 0-ply, exact if the game is over.

    Under parity they are exact once a side has borne off; a draw is half a win.
    """
    module = game.MODULES[VARIANTS[state.rules.variant]]
    seen = np.empty(26, np.int8)
    module.flip(board, seen)
    if state.last_turn:
        kinds = module.kinds_of(state.rules)
        lost = module.finished(seen, kinds)
        return DRAWN if module.finished(board, kinds) else flipped(WON[lost - 1])
    ends = parity.ends_of(state.rules, board, began=state.turn is state.first)
    return parity.chances_of(ends) if ends else flipped(player.chances(seen))


def _results(state: MatchState, dice: tuple[int, int]) -> set[Position]:
    side = state.turn
    assert side is not None
    return legal_results(state.position, side, dice, state.rules, is_first_turn(state))
