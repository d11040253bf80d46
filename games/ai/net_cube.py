"""The cube in the hands of a net: its chances make decisions, as they are or some rolls on.

Rolls on, every roll is played as the net would and whoever is on turn then turns the cube, or not,
as is best for it. So how much of the market a roll may lose is seen in the position itself and no
longer guessed by the efficiency alone.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from games.ai import cube
from games.ai.cube import CubeModel, Efficiency, Options
from games.ai.estimate import Estimate
from games.ai.kernel import game
from games.ai.kernel.bits import IntArray
from games.ai.net_player import NetPlayer
from games.ai.nets import VARIANTS
from games.ai.shots import ROLL_WEIGHTS, ROLLS
from games.engine.position import Counts
from games.engine.predicates import is_first_turn
from games.engine.sides import Side
from games.engine.state import MatchState

CONTACT = Efficiency(ready=0.74, waiting=0.68)
RACE = Efficiency(ready=0.80, waiting=0.62)
LAST_ROLLS = Efficiency(ready=0.90, waiting=0.90)


def options(state: MatchState, player: NetPlayer, plies: int = 0) -> Options:
    """What doubling and not doubling are worth to the side on turn, which has yet to roll."""
    side = state.turn
    assert side is not None
    module = game.MODULES[VARIANTS[state.rules.variant]]
    board = module.board_of(state.position.of(side), state.position.of(side.other))
    node = _Node(state, side, board, player, plies)
    value, theirs = state.cube.value, side.other
    return replace(
        cube.options(node.model),
        hold=node.worth(value, state.cube.owner),
        taken=node.worth(2 * value, theirs),
        beaver_taken=node.worth(4 * value, theirs),
    )


def efficiency(variant: int, board: IntArray) -> Efficiency:
    """How alive the cube is for the side on roll of this variant's kernel.

    In a race the more, the longer it is; in its last rolls the more, the better its owner stands.
    """
    if not game.phase(variant, board):
        return CONTACT
    mine, theirs = game.MODULES[variant].counts_of(board)
    rolls = _rolls(mine)
    behind = 0.55 * (rolls - _rolls(theirs))
    most = LAST_ROLLS if rolls < 7 else RACE
    waiting = min(most.waiting, max(0.0, (rolls - 3) / 4 + behind))
    return Efficiency(min(most.ready, max(0.0, (rolls - 2) / 2 - behind)), waiting)


def _rolls(side: Counts) -> float:
    """About how many rolls without doublets a side needs to bear off."""
    pips = sum(point * count for point, count in enumerate(side))
    return max(pips / 5, sum(side[1:]) / 2)


@dataclass(slots=True)
class _Node:
    """A position before a roll of `state.turn`, who sees the board so; worths are `side`'s."""

    state: MatchState
    side: Side
    board: IntArray
    player: NetPlayer
    plies: int
    points: int = 0  # by which the side that has just played has won
    model: CubeModel = field(init=False)
    _next: list[tuple[float, "_Node"]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        variant = VARIANTS[self.state.rules.variant]
        found, alive = Estimate(0.0, 0.0, 0.0), CONTACT
        if not self.points:
            win, mars, koks, mars_against, koks_against = self.player.chances(self.board)
            found = Estimate(win, mars, mars_against, koks, koks_against)
            alive = efficiency(variant, self.board)
        if self.side is not self.state.turn:
            found = found.seen_by_other()
        self.model = CubeModel(self.state, self.side, found, alive)

    def worth(self, value: int, owner: Side | None) -> float:
        """With the cube so while the side on turn rolls."""
        if self.points:
            won = value * min(self.points, self.model.counts(value))
            return self.model.utility(-won if self.state.turn is self.side else won)
        if self.plies == 0:
            return self.model.worth(value, owner)
        if not self._next:
            self._next = self._roll()
        return sum(share * node.chosen(value, owner) for share, node in self._next)

    def chosen(self, value: int, owner: Side | None) -> float:
        """With the cube so before the side on turn doubles, or not."""
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
        kinds, first_turn = module.kinds_of(self.state.rules), is_first_turn(self.state)
        assert self.state.turn is not None
        later = replace(self.state, turn=self.state.turn.other)
        nodes = []
        for dice, weight in zip(ROLLS, ROLL_WEIGHTS, strict=True):
            after = self.player.choose(self.board, dice, self.state.rules, first_turn)
            seen = np.empty(26, np.int8)
            module.flip(after, seen)
            points = module.finished(after, kinds)
            node = _Node(later, self.side, seen, self.player, self.plies - 1, points)
            nodes.append((weight / 36, node))
        return nodes
