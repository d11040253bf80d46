"""Cube decisions from a net's chances, at 0-ply or one or two rolls ahead.

With lookahead, every roll is played at 0-ply; then the next side doubles if that is best for it. So
rolls after which a double should be dropped are found by playing them, not only estimated by the
cube efficiency.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from games.ai.cube import doubling
from games.ai.cube.doubling import CubeModel, Efficiency, Options
from games.ai.cube.match_equity import utility_of
from games.ai.kernel import game
from games.ai.kernel.bits import IntArray
from games.ai.net.chances import Estimate, estimate_of
from games.ai.net.player import NetPlayer
from games.ai.net.rolls import ROLL_WEIGHTS, ROLLS
from games.ai.net.search import Stakes
from games.ai.net.weights_files import VARIANTS
from games.engine.board.position import Counts
from games.engine.match.permissions import is_first_turn
from games.engine.match.state import MatchState
from games.engine.sides import Side

# Fitted to the cube decisions of GNU Backgammon.
CONTACT = Efficiency(ready=0.70, waiting=0.68)
RACE = Efficiency(ready=0.74, waiting=0.63)
# A race with at most this number of rolls left uses the formula of `efficiency`, fitted to exact
# values of positions with checkers on point 1 only.
LAST_ROLLS = 5.0


def options(state: MatchState, player: NetPlayer, plies: int = 0) -> Options:
    """Return the values of the cube actions to the side on turn, before its roll."""
    side = state.turn
    assert side is not None
    module = game.MODULES[VARIANTS[state.rules.variant]]
    board = module.board_of(state.position.of(side), state.position.of(side.other))
    node = _Node(state, side, board, player, plies)
    value, theirs = state.cube.value, side.other
    return replace(
        doubling.options(node.model),
        hold=node.worth(value, state.cube.owner),
        taken=node.worth(2 * value, theirs),
        beaver_taken=node.worth(4 * value, theirs),
    )


def model_at(state: MatchState, side: Side, player: NetPlayer) -> CubeModel:
    """Return the cube model of a side at any moment of a turn, to evaluate a resignation."""
    mover = state.turn
    assert mover is not None
    module = game.MODULES[VARIANTS[state.rules.variant]]
    board = module.board_of(state.position.of(mover), state.position.of(mover.other))
    chances = player.chances(board)
    if state.dice is not None:
        chances = player.ranked(board, state.dice, state.rules, is_first_turn(state), 0)[0].chances
    found = estimate_of(chances)
    if side is not mover:
        found = found.seen_by_other()
    return CubeModel(state, side, found, efficiency(VARIANTS[state.rules.variant], board))


def efficiency(variant: int, board: IntArray) -> Efficiency:
    """Return the cube efficiency for the side on roll of this kernel board.

    In the last rolls of a race both values fall as fewer rolls are left, and rise if the cube's
    owner is ahead.
    """
    if game.phase(variant, board) != game.RACE:
        return CONTACT
    mine, theirs = game.MODULES[variant].counts_of(board)
    rolls = _rolls(mine)
    if rolls > LAST_ROLLS:
        return RACE
    behind = 0.55 * (rolls - _rolls(theirs))
    ready, waiting = (rolls - 2) / 2 - behind, (rolls - 3) / 4 + behind
    return Efficiency(min(0.9, max(0.0, ready)), min(0.9, max(0.0, waiting)))


def _rolls(counts: Counts) -> float:
    """Estimate how many rolls without doublets a side needs to bear off."""
    pips = sum(point * count for point, count in enumerate(counts))
    return max(pips / 6, sum(counts[1:]) / 2)


@dataclass(slots=True)
class _Node:
    """A position before the roll of `state.turn`.

    `board` is in the view of `state.turn`; values are those to `side`.
    """

    state: MatchState
    side: Side
    board: IntArray
    player: NetPlayer
    plies: int
    points: int = 0  # of the win of the side that has just played; 0 = the game goes on
    model: CubeModel = field(init=False)
    _next: list[tuple[float, "_Node"]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        variant = VARIANTS[self.state.rules.variant]
        found, cube_efficiency = Estimate(0.0, 0.0, 0.0), CONTACT
        if not self.points:
            found = estimate_of(self.player.chances(self.board))
            cube_efficiency = efficiency(variant, self.board)
        if self.side is not self.state.turn:
            found = found.seen_by_other()
        self.model = CubeModel(self.state, self.side, found, cube_efficiency)

    def worth(self, value: int, owner: Side | None) -> float:
        """Return the value with this cube if nobody doubles before the roll."""
        if self.points:
            won = value * min(self.points, self.model.counts(value))
            return self.model.utility(-won if self.state.turn is self.side else won)
        if self.plies == 0:
            return self.model.worth(value, owner)
        if not self._next:
            self._next = self._roll()
        return sum(share * node.chosen(value, owner) for share, node in self._next)

    def chosen(self, value: int, owner: Side | None) -> float:
        """Return the value with this cube if the side on turn doubles when that is best for it."""
        held, mover = self.worth(value, owner), self.state.turn
        assert mover is not None
        if self.points or owner is mover.other or not self.model.may_turn(mover, value):
            return held
        taken = self.worth(2 * value, mover.other)
        if mover is self.side:
            return max(held, min(taken, self.model.utility(value)))
        return min(held, max(taken, self.model.utility(-value)))

    def _roll(self) -> list[tuple[float, "_Node"]]:
        module = game.MODULES[VARIANTS[self.state.rules.variant]]
        rules, mover, first_turn = self.state.rules, self.state.turn, is_first_turn(self.state)
        assert mover is not None
        stakes = Stakes.of(rules, self.state.cube.value, utility_of(self.state, mover))
        kinds, later = module.kinds_of(rules), replace(self.state, turn=mover.other)
        nodes = []
        for dice, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True):
            after = self.player.choose_at(self.board, dice, rules, first_turn, 0, stakes)
            seen = np.empty(26, np.int8)
            module.flip(after, seen)
            points = module.finished(after, kinds)
            node = _Node(later, self.side, seen, self.player, self.plies - 1, points)
            nodes.append((weight / 36, node))
        return nodes
