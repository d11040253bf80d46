"""The legal plays of a turn as a graph: small even if moves can be made in hundreds of orders."""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import compress, count
from typing import Any, Generic, TypeAlias, TypeVar

from games.engine.board.bitboard import COUNT_BITS, ENEMY_SHIFT, point_of
from games.engine.board.moves import Move, Play
from games.engine.board.position import Position
from games.engine.board.search import SearchResult, Trail, Turn
from games.engine.board.turn_search import Dice, search_legal_ends
from games.engine.board.variants import CHECKERS, OFF
from games.engine.rules import Rules
from games.engine.sides import Side

S = TypeVar("S", bound=Hashable)
Edges: TypeAlias = tuple[tuple[Move, int], ...]
_Edges: TypeAlias = list[tuple[Move, int]]
_Node: TypeAlias = tuple[S, tuple[int, ...]]  # a state and the dice left


@dataclass(frozen=True, slots=True)
class TurnStart:
    """A roll and the position it is played from; `first_turn`: the side has not moved yet."""

    position: Position
    side: Side
    dice: Dice
    rules: Rules
    first_turn: bool


@dataclass(frozen=True, slots=True)
class TurnGraph:
    """Every legal play of one turn, as positions and the moves between them.

    Node 0 is the start of the turn; a play is legal when it is a path from there to a final
    node, and every path leads to one. `edges[n]` are (move, next node); no two of them have
    the same source and die. Two nodes may have the same position and differ in the dice left.
    All plays use `max_dice` dice, with one exception: a last checker may be borne off by one die
    if a play of both dice bears it off too.
    """

    nodes: tuple[Position, ...]
    edges: tuple[Edges, ...]
    finals: frozenset[int]
    max_dice: int
    start: TurnStart

    @property
    def is_pass(self) -> bool:
        """Return True if no move is legal."""
        return self.max_dice == 0

    def results(self) -> set[Position]:
        """Return the distinct positions after the whole turn."""
        return {self.nodes[node] for node in self.finals}


@dataclass(frozen=True, slots=True)
class SearchedTurn(Generic[S]):
    """A searched turn: every node reached from the start by `result.dice_used` dice or fewer.

    A node is named by its index in `nodes`: first the start, then nodes by the number of dice used.
    `edges[n]` are the moves of node n; `is_alive[n]` is True if node n leads to one of `finals`.
    """

    start: TurnStart
    turn: Turn[S]
    result: SearchResult[S]
    nodes: list[_Node[S]]
    edges: list[_Edges]
    is_alive: list[bool]
    finals: set[int]

    def alive_nodes(self) -> set[_Node[S]]:
        return {node for node, alive in zip(self.nodes, self.is_alive, strict=True) if alive}


def turn_graph(
    position: Position, side: Side, dice: Dice, rules: Rules, first_turn: bool = False
) -> TurnGraph:
    """Return all legal plays as a graph; raise `InvalidAction("dice")` for impossible dice.

    >>> from games.engine.rules import Variant
    >>> start, rules = Position.start(Variant.SHORT), Rules.of("short")
    >>> graph = turn_graph(start, Side.WHITE, (3, 1), rules)
    >>> graph.max_dice, len(graph.results())
    (2, 16)
    """
    start = TurnStart(position, side, dice, rules, first_turn)
    searched = search_turn(start)
    turn, result = searched.turn, searched.result
    alive, edges, finals = _without_dead_ends(searched)
    nodes = tuple([turn.unpack(turn.board(searched.nodes[node][0])) for node in alive])
    return TurnGraph(nodes, tuple(map(tuple, edges)), frozenset(finals), result.dice_used, start)


def search_turn(start: TurnStart) -> SearchedTurn[Any]:
    turn, result = search_legal_ends(
        start.position, start.side, start.dice, start.rules, start.first_turn
    )
    nodes, edges = _all_nodes(turn, result.dice_used)
    finals = {number for number, node in enumerate(nodes) if _is_final(node, turn, result)}
    if result.dice_used and start.position.of(start.side)[OFF] == CHECKERS - 1:
        finals |= _early_wins(nodes, edges, result)
    return SearchedTurn(start, turn, result, nodes, edges, _leading_to(finals, edges), finals)


def play_of_trail(turn: Turn[S], trail: Trail[S] | None) -> Play:
    """Return the moves along a trail of `search`, first to last."""
    play: list[Move] = []
    while trail is not None:
        trail, state, bit, die = trail
        play.append(move_from(turn.board(state), bit, die))
    return tuple(reversed(play))


def move_from(board: int, bit: int, die: int) -> Move:
    target = bit >> COUNT_BITS * die
    if target <= 1:
        return _move(point_of(bit), OFF, die, False)
    return _move(point_of(bit), point_of(target), die, bool(board & target << ENEMY_SHIFT))


@cache
def _move(source: int, target: int, die: int, is_hit: bool) -> Move:
    return Move(source, target, die, is_hit)


def _all_nodes(turn: Turn[S], depth: int) -> tuple[list[_Node[S]], list[_Edges]]:
    """Return every node within `depth` dice of the start, nearest first, and their moves."""
    nodes: list[_Node[S]] = [(turn.start, turn.dice)]
    edges: list[_Edges] = []
    numbers: dict[tuple[int, ...], dict[S, int]] = defaultdict(dict)  # by the dice left
    least_left = len(turn.dice) - depth
    for state, left in nodes:  # the loop appends to `nodes`
        found: _Edges = []
        if len(left) > least_left:
            board = turn.board(state)
            for die, rest in _choices(left):
                known = numbers[rest]
                for bit, after in turn.moves(state, die):
                    number = known.get(after)
                    if number is None:
                        number = known[after] = len(nodes)
                        nodes.append((after, rest))
                    found.append((move_from(board, bit, die), number))
        edges.append(found)
    return nodes, edges


@cache
def _choices(dice: tuple[int, ...]) -> list[tuple[int, tuple[int, ...]]]:
    """Return each die that can be played next, with the dice left after it."""
    places = [(die, dice.index(die)) for die in dict.fromkeys(dice)]
    return [(die, dice[:at] + dice[at + 1 :]) for die, at in places]


def _is_final(node: _Node[S], turn: Turn[S], result: SearchResult[S]) -> bool:
    """Return True if a best play ends at this node.

    The same board may be reached by a play that is not a best one: with fewer dice, or by the
    smaller die where the larger must be played.
    """
    state, left = node
    if len(turn.dice) - len(left) != result.dice_used or state not in result.finals:
        return False
    if result.dice_used != 1 or turn.is_doublet:
        return True
    trail = result.finals[state]
    return trail is not None and left == tuple(die for die in turn.dice if die != trail[3])


def _early_wins(nodes: list[_Node[S]], edges: list[_Edges], result: SearchResult[S]) -> set[int]:
    """Return the nodes after one die that bears the last checker off.

    The other die cannot be played then. Such a play is legal, even with the smaller die, if a
    best play has the same result.
    """
    return {node for _move, node in edges[0] if nodes[node][0] in result.finals and not edges[node]}


def _leading_to(finals: set[int], edges: list[_Edges]) -> list[bool]:
    """Return for each node whether a final one can be reached from it."""
    is_alive = [False] * len(edges)
    for node in range(len(edges) - 1, -1, -1):  # moves lead to later nodes
        is_alive[node] = node in finals or any(is_alive[after] for _move, after in edges[node])
    return is_alive


def _without_dead_ends(searched: SearchedTurn[Any]) -> tuple[Sequence[int], list[_Edges], set[int]]:
    """Return the nodes that lead to a final one, and edges and finals numbered among them."""
    edges, finals, is_alive = searched.edges, searched.finals, searched.is_alive
    if all(is_alive):  # true for nearly every turn
        return range(len(edges)), edges, finals
    alive = list(compress(range(len(edges)), is_alive))
    number = dict(zip(alive, count()))
    kept = [
        [(move, number[after]) for move, after in edges[node] if is_alive[after]] for node in alive
    ]
    return alive, kept, {number[node] for node in finals}
