"""Conversion of the engine's positions to kernel boards, and back."""

from games.ai.kernel import game
from games.ai.kernel.bits import IntArray
from games.ai.net.weights_files import VARIANTS
from games.engine.board.position import Position
from games.engine.match.state import MatchState
from games.engine.rules import Variant
from games.engine.sides import Side


def board_of(state: MatchState, side: Side) -> IntArray:
    """Return the board of the state's position, seen by the side."""
    return board_at(state.position, side, state.rules.variant)


def board_at(position: Position, side: Side, variant: Variant) -> IntArray:
    """Return the board of a position, seen by the side."""
    module = game.MODULES[VARIANTS[variant]]
    board: IntArray = module.board_of(position.of(side), position.of(side.other))
    return board


def position_of(board: IntArray, side: Side, variant: Variant) -> Position:
    """Return the position of a board that the side sees."""
    mine, theirs = game.MODULES[VARIANTS[variant]].counts_of(board)
    return Position(mine, theirs) if side is Side.WHITE else Position(theirs, mine)
