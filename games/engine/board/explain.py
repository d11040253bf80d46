"""The reason why a player may not make a move, and the points at fault."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from games.engine.board.bitboard import point_of
from games.engine.board.move_faults import Refusal, is_closed, move_fault, source_fault
from games.engine.board.moves import WrittenMove
from games.engine.board.position import Position
from games.engine.board.six_block import forbidden_points
from games.engine.board.turn_graph import SearchedTurn, TurnGraph, TurnStart, search_turn
from games.engine.board.turn_search import Dice
from games.engine.board.variants import BAR, OFF
from games.engine.errors import InvalidAction, Reason
from games.engine.rules import Rules
from games.engine.sides import Side

__all__ = ["Refusal", "refusal_of_play", "why_not"]

# A state of the search and the dice left there.
_Node = tuple[Any, tuple[int, ...]]
# Cached: a client may ask about each move of a turn, and the search is most of the answer's cost.
_search = lru_cache(maxsize=16)(search_turn)


# If dice are refused for different reasons, the player is shown the first of them in this order,
# from a move that is nearly legal to one that is far from it.
_NEAREST_FIRST = (
    Reason.MUST_USE_LARGER,
    Reason.MUST_USE_BOTH,
    Reason.MORE_DICE_POSSIBLE,
    Reason.HIT_AND_RUN,
    Reason.BLOCK,
    Reason.HEAD_TAKEN,
    Reason.HIGHER_CHECKER,
    Reason.POINT_CLOSED,
    Reason.NOT_HOME,
)


def why_not(
    position: Position,
    side: Side,
    dice: Dice,
    rules: Rules,
    first_turn: bool,
    played: Sequence[tuple[int, int]],
    source: int,
    target: int | None,
) -> Refusal | None:
    """Return why the checker on `source` may not move (to `target`, if given); None if it may.

    `played` are the moves already made in this turn; if they do not begin a legal play, the answer
    is about the first bad one. A target may be several dice away. Raises `InvalidAction("place")`
    for a source that is not 1 to 25 or a target that is not 0 to 24.
    """
    if not (1 <= source <= BAR and (target is None or OFF <= target < BAR)):
        raise InvalidAction("place", "no such place")
    searched = _search(TurnStart(position, side, dice, rules, first_turn))
    nodes = [0]
    for source_played, target_played in played:
        following = _after(searched, nodes, WrittenMove(source_played, target_played, False))
        if not following:
            return _explain(searched, nodes, source_played, target_played)
        nodes = following
    return _explain(searched, nodes, source, target)


def refusal_of_play(graph: TurnGraph, moves: Sequence[WrittenMove]) -> Refusal:
    """Return why the moves, in this order, are not a complete legal play from the graph's start."""
    start = graph.start
    if graph.is_pass:
        return Refusal(Reason.NO_LEGAL_MOVE)
    searched = _search(start)
    nodes = [0]
    for written in moves:
        following = _after(searched, nodes, written)
        if not following:
            refusal = _explain(searched, nodes, written.source, written.target)
            # No rule forbids the move itself, so its hit mark is wrong.
            return refusal or Refusal(Reason.POINT_EMPTY, (written.target,))
        nodes = following
    return Refusal(Reason.INCOMPLETE_PLAY)


def _after(searched: SearchedTurn[Any], nodes: list[int], written: WrittenMove) -> list[int]:
    """Return the nodes after the written move that lead to a legal play.

    The move may use several dice of one checker.
    """
    found: dict[int, None] = {}
    todo = [(node, written.source) for node in nodes]
    while todo:
        node, source = todo.pop()
        for move, after in searched.edges[node]:
            if not searched.is_alive[after]:
                continue
            if move.source != source or move.target < written.target:
                continue
            if move.target > written.target:
                todo.append((after, move.target))
            elif move.is_hit or not written.is_hit:
                found[after] = None
    return list(found)


def _explain(
    searched: SearchedTurn[Any], nodes: list[int], source: int, target: int | None
) -> Refusal | None:
    refusals: list[Refusal] = []
    alive = searched.alive_nodes()
    for node in nodes:
        refusal = _PartialTurn(searched, alive, searched.nodes[node]).explain(source, target)
        if refusal is None:
            return None
        refusals.append(refusal)
    return nearest(refusals)


def nearest(refusals: list[Refusal]) -> Refusal:
    ranks = {reason: rank for rank, reason in enumerate(_NEAREST_FIRST)}
    return min(refusals, key=lambda refusal: ranks.get(refusal.reason, len(ranks)))


@dataclass(frozen=True, slots=True)
class _PartialTurn:
    """A node that fits the moves made so far; `alive` are the nodes that lead to a legal play."""

    searched: SearchedTurn[Any]
    alive: set[_Node]
    node: _Node

    @property
    def rules(self) -> Rules:
        return self.searched.start.rules

    @property
    def side(self) -> Side:
        return self.searched.start.side

    def explain(self, source: int, target: int | None) -> Refusal | None:
        state, left = self.node
        position = self.searched.turn.unpack(self.searched.turn.board(state))
        refusal = source_fault(position, self.side, self.rules, source)
        if refusal is not None:
            return refusal
        if target is not None and not _adds_up(left, source, target):
            return Refusal(Reason.WRONG_DIE)
        if target and is_closed(position, self.side, self.rules, target):
            return Refusal(Reason.POINT_CLOSED, (target,))
        refusals: list[Refusal] = []
        for refusal in self._faults(source, target):
            if refusal is None:
                return None
            refusals.append(refusal)
        return nearest(refusals) if refusals else Refusal(Reason.WRONG_DIE)

    def _faults(self, source: int, target: int | None) -> Iterator[Refusal | None]:
        """Yield for each die the rule against it, None if the die is playable."""
        state, left = self.node
        for die in dict.fromkeys(left):
            stop = max(source - die, OFF)
            rest = _without(left, die)
            if target is not None and (stop < target or not _adds_up(rest, stop, target)):
                continue
            refusal = self._fault(source, die)
            if refusal is not None or target is None or stop == target:
                yield refusal
                continue
            for bit, after in self.searched.turn.moves(state, die):
                if point_of(bit) == source:
                    then = _PartialTurn(self.searched, self.alive, (after, rest))
                    yield from then._faults(stop, target)

    def _fault(self, source: int, die: int) -> Refusal | None:
        """Return the rule against one die, None when it starts a legal play."""
        state, left = self.node
        for bit, after in self.searched.turn.moves(state, die):
            if point_of(bit) == source:
                node = (after, _without(left, die))
                return None if node in self.alive else self._play_fault(node)
        position = self.searched.turn.unpack(self.searched.turn.board(state))
        return move_fault(position, self.side, self.rules, source, die)

    def _play_fault(self, node: _Node) -> Refusal:
        """Return why a move that is possible alone begins no legal play."""
        searched = self.searched
        ends = _ends(searched, node)
        if ends and searched.turn.may_end is not None:
            forbidden = [board for board in ends if not searched.turn.may_end(board)]
            if len(forbidden) == len(ends):
                worst = searched.turn.unpack(forbidden[-1])
                return Refusal(Reason.BLOCK, forbidden_points(worst, self.side))
        if searched.turn.is_doublet:
            return Refusal(Reason.MORE_DICE_POSSIBLE)
        if searched.result.dice_used == 1:
            return Refusal(Reason.MUST_USE_LARGER)
        return Refusal(Reason.MUST_USE_BOTH)


def _ends(searched: SearchedTurn[Any], node: _Node) -> list[int]:
    """Return the boards after as many dice as the best plays use, or more; fewest dice first."""
    level: dict[_Node, None] = {node: None}
    boards: list[int] = []
    while level:
        following: dict[_Node, None] = {}
        for state, left in level:
            if len(searched.turn.dice) - len(left) >= searched.result.dice_used:
                boards.append(searched.turn.board(state))
            for die in dict.fromkeys(left):
                rest = _without(left, die)
                for _bit, after in searched.turn.moves(state, die):
                    following[(after, rest)] = None
        level = following
    return boards


def _without(dice: tuple[int, ...], die: int) -> tuple[int, ...]:
    at = dice.index(die)
    return dice[:at] + dice[at + 1 :]


def _adds_up(dice: tuple[int, ...], source: int, target: int) -> bool:
    """Return True if some of the dice take one checker from source to target."""
    if source == target:
        return True
    return any(
        _adds_up(_without(dice, die), max(source - die, OFF), target)
        for die in dict.fromkeys(dice)
        if max(source - die, OFF) >= target
    )
