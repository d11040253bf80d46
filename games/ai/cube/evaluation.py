"""Cube decisions from a net's chances, at 0-ply or one or two rolls ahead.

With lookahead, every roll is played at 0-ply; then the next side doubles if that is best for it. So
rolls after which a double should be dropped are found by playing them, not only estimated by the
cube efficiency.

Under parity draws count where both sides bear off and where the search sees the game end. Before
that the net ignores draws.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from games.ai.cube import doubling, parity
from games.ai.cube.doubling import CubeModel, Efficiency, Options
from games.ai.cube.match_equity import draw_worth, utility_of
from games.ai.kernel import game
from games.ai.kernel.bits import IntArray
from games.ai.net.boards import board_of
from games.ai.net.chances import Estimate, estimate_of
from games.ai.net.player import NetPlayer
from games.ai.net.rolls import ROLL_WEIGHTS, ROLLS
from games.ai.net.search import MAX_PLIES, Stakes
from games.ai.net.weights_files import VARIANTS
from games.engine.board.position import Counts, pips_of
from games.engine.match.permissions import is_first_turn
from games.engine.match.state import MatchState
from games.engine.sides import Side

# Fitted to the cube decisions of GNU Backgammon.
CONTACT = Efficiency(ready=0.70, waiting=0.68)
RACE = Efficiency(ready=0.74, waiting=0.63)
# A race with at most this number of rolls left uses the formula of `efficiency`, fitted to exact
# values of positions with checkers on point 1 only.
LAST_ROLLS = 5.0
# Under parity a search of `PARITY_PLIES` sees the last turn of either side. It is used in a race in
# which a side has at most `PARITY_ROLLS` rolls left and the sides are not both home.
PARITY_PLIES, PARITY_ROLLS = 2, 3.0


def options(
    state: MatchState, player: NetPlayer, plies: int = 0, most_plies: int = MAX_PLIES
) -> Options:
    """Return the values of the cube actions to the side on turn, before its roll.

    They are searched `plies` deep, or `least_plies` if that is deeper, but at most `most_plies`.
    """
    side = state.turn
    assert side is not None
    plies = min(most_plies, max(plies, least_plies(state, player)))
    node = _Node(state, side, board_of(state, side), player, plies)
    value, theirs = state.cube.value, side.other
    return replace(
        doubling.options(node.model),
        hold=node.worth(value, state.cube.owner),
        taken=node.worth(2 * value, theirs),
        beaver_taken=node.worth(4 * value, theirs),
    )


def least_plies(state: MatchState, player: NetPlayer) -> int:
    """Return the least depth at which the cube is judged, before the roll of the side on turn."""
    side = state.turn
    assert side is not None
    board = board_of(state, side)
    is_race = game.phase(VARIANTS[state.rules.variant], board) == game.RACE
    if not (state.rules.parity and is_race) or player.find_rolls_left(board):
        return 0
    is_near = min(_rolls(state.position.of(each)) for each in Side) <= PARITY_ROLLS
    return PARITY_PLIES if is_near else 0


def model_at(state: MatchState, side: Side, player: NetPlayer) -> CubeModel:
    """Return the cube model of a side at any moment of a turn, to evaluate a resignation."""
    mover = state.turn
    assert mover is not None
    board = board_of(state, mover)
    if state.dice is None:
        return model_before_roll(state, side, board, player)
    first_turn, began = is_first_turn(state), mover is state.first
    best = player.ranked(board, state.dice, state.rules, first_turn, 0, began=began)[0]
    found = estimate_of(best.chances)
    if side is not mover:
        found = found.seen_by_other()
    return CubeModel(state, side, found, efficiency(VARIANTS[state.rules.variant], board))


def model_before_roll(
    state: MatchState, side: Side, board: IntArray, player: NetPlayer
) -> CubeModel:
    """Return the cube model of a side before the roll of the side on turn, which sees the board."""
    found, draw = estimate_of(player.chances(board)), 0.0
    outlook = parity.find_outlook(state, board, player)
    if outlook is not None:
        found, draw = outlook.decided(found), outlook.draw
    if side is not state.turn:
        found = found.seen_by_other()
    cube_efficiency = efficiency(VARIANTS[state.rules.variant], board)
    return CubeModel(state, side, found, cube_efficiency, draw)


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
    return max(pips_of(counts) / 6, sum(counts[1:]) / 2)


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
    ends: parity.Ends = ()  # of the side that has just played; empty = the game goes on
    model: CubeModel = field(init=False)
    _next: list[tuple[float, "_Node"]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        if self.ends:
            self.model = CubeModel(self.state, self.side, Estimate(0.0, 0.0, 0.0), CONTACT)
        else:
            self.model = model_before_roll(self.state, self.side, self.board, self.player)

    def worth(self, value: int, owner: Side | None) -> float:
        """Return the value with this cube if nobody doubles before the roll."""
        if self.ends:
            return sum(share * self._ended(value, points) for share, points in self.ends)
        if self.plies == 0:
            return self.model.worth(value, owner)
        if not self._next:
            self._next = self._roll()
        return sum(share * node.chosen(value, owner) for share, node in self._next)

    def _ended(self, value: int, points: int) -> float:
        if not points:
            return draw_worth(self.state, self.side)
        won = value * min(points, self.model.counts(value))
        return self.model.utility(-won if self.state.turn is self.side else won)

    def chosen(self, value: int, owner: Side | None) -> float:
        """Return the value with this cube if the side on turn doubles when that is best for it."""
        held, mover = self.worth(value, owner), self.state.turn
        assert mover is not None
        if self.ends or owner is mover.other or not self.model.may_turn(mover, value):
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
        began, later = mover is self.state.first, replace(self.state, turn=mover.other)
        nodes = []
        for dice, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True):
            after = self.player.choose_at(self.board, dice, rules, first_turn, 0, stakes, began)
            seen = np.empty(26, np.int8)
            module.flip(after, seen)
            ends = parity.ends_of(rules, after, began=began)
            node = _Node(later, self.side, seen, self.player, self.plies - 1, ends)
            nodes.append((weight / 36, node))
        return nodes
