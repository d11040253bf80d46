"""The legal plays of a turn: exact search over whole turns (product.md section 1)."""

from collections.abc import Sequence
from dataclasses import dataclass

from games.engine.moves import Move, Play, Step
from games.engine.position import Position
from games.engine.rules import Rules
from games.engine.sides import Side


@dataclass(frozen=True, slots=True)
class TurnGraph:
    """Every legal play of one turn, as positions and the moves between them.

    Node 0 is the start of the turn; a play is legal when it is a path from there to a final
    node, and every path ends in one. `edges[n]` are (move, next node); no two of them have
    the same source and die. Positions may repeat: nodes differ also in the dice left.
    """

    nodes: tuple[Position, ...]
    edges: tuple[tuple[tuple[Move, int], ...], ...]
    finals: frozenset[int]
    max_dice: int

    @property
    def is_pass(self) -> bool:
        """Whether nothing can be played."""
        return self.max_dice == 0

    def results(self) -> set[Position]:
        """The distinct positions after the whole turn."""
        return {self.nodes[node] for node in self.finals}


def turn_graph(
    position: Position, side: Side, dice: tuple[int, int], rules: Rules, first_turn: bool = False
) -> TurnGraph:
    """All legal plays; `first_turn` = the side has not moved in this game yet (long)."""
    raise NotImplementedError


def legal_plays(
    position: Position, side: Side, dice: tuple[int, int], rules: Rules, first_turn: bool = False
) -> dict[Position, Play]:
    """One representative play for each distinct result; a pass is the empty play."""
    raise NotImplementedError


def match_play(graph: TurnGraph, steps: Sequence[Step]) -> tuple[Play, Position]:
    """The play that the written steps mean and the position after it.

    Raises `IllegalAction` when they are not one complete legal play.
    """
    raise NotImplementedError
