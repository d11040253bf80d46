"""The legal plays of a turn as a graph: small even if moves can be made in hundreds of orders."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
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
_Node: TypeAlias = tuple[S, tuple[int, ...]]  # a state and the dice left
_Links: TypeAlias = dict[_Node[S], list[tuple[Move, _Node[S]]]]


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
    the same source and die. Nodes may have equal positions and differ in the dice left only.
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
    """A searched turn before its nodes are numbered.

    `links` holds every node that is reached by at most as many dice as the best plays use. `alive`
    numbers those that lead to one of `finals`, the start first.
    """

    start: TurnStart
    turn: Turn[S]
    result: SearchResult[S]
    links: _Links[S]
    alive: dict[_Node[S], int]
    finals: set[_Node[S]]


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
    turn, links, number = searched.turn, searched.links, searched.alive
    return TurnGraph(
        tuple([turn.unpack(turn.board(state)) for state, _left in number]),
        tuple(
            [
                tuple([(move, number[after]) for move, after in links[node] if after in number])
                for node in number
            ]
        ),
        frozenset([number[node] for node in searched.finals]),
        searched.result.dice_used,
        start,
    )


def search_turn(start: TurnStart) -> SearchedTurn[Any]:
    turn, result = search_legal_ends(
        start.position, start.side, start.dice, start.rules, start.first_turn
    )
    links = _all_links(turn, result.dice_used)
    finals = {node for node in links if _is_final(node, turn, result)}
    if result.dice_used and start.position.of(start.side)[OFF] == CHECKERS - 1:
        finals |= _early_wins(links, turn, result)
    return SearchedTurn(start, turn, result, links, _leading_to(finals, links), finals)


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


def _all_links(turn: Turn[S], depth: int) -> _Links[S]:
    """Return every node within `depth` dice of the start, nearest first, with its moves."""
    links: _Links[S] = {}
    level: list[_Node[S]] = [(turn.start, turn.dice)]
    for left_to_play in range(depth, -1, -1):
        following: dict[_Node[S], None] = {}
        for node in level:
            links[node] = _links_of(turn, node) if left_to_play else []
            following.update(dict.fromkeys([after for _move, after in links[node]]))
        level = list(following)
    return links


def _links_of(turn: Turn[S], node: _Node[S]) -> list[tuple[Move, _Node[S]]]:
    state, left = node
    board = turn.board(state)
    links: list[tuple[Move, _Node[S]]] = []
    for die in dict.fromkeys(left):
        at = left.index(die)
        rest = left[:at] + left[at + 1 :]
        links += [
            (move_from(board, bit, die), (after, rest)) for bit, after in turn.moves(state, die)
        ]
    return links


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


def _early_wins(links: _Links[S], turn: Turn[S], result: SearchResult[S]) -> set[_Node[S]]:
    """Return the nodes after one die that bears the last checker off.

    The other die cannot be played then. Such a play is legal, by the smaller die too, if a best
    play has the same result.
    """
    return {
        node
        for _move_made, node in links[(turn.start, turn.dice)]
        if node[0] in result.finals and not links.get(node)
    }


def _leading_to(finals: set[_Node[S]], links: _Links[S]) -> dict[_Node[S], int]:
    """Map the nodes from which a final one can be reached to their numbers, in `links` order."""
    alive: set[_Node[S]] = set()
    for node in reversed(links):
        if node in finals or any(after in alive for _move, after in links[node]):
            alive.add(node)
    return {node: number for number, node in enumerate([node for node in links if node in alive])}
