"""The legal plays of a turn: the public interface of the move generator."""

from collections.abc import Sequence
from itertools import permutations

from games.engine.board.moves import MAX_MOVES, Move, Play, WrittenMove
from games.engine.board.position import Position
from games.engine.board.turn_graph import TurnGraph, play_of_trail, turn_graph
from games.engine.board.turn_search import Dice, search_legal_ends
from games.engine.errors import IllegalAction, InvalidAction
from games.engine.rules import Rules
from games.engine.sides import Side

__all__ = [
    "Dice",
    "TurnGraph",
    "legal_plays",
    "legal_results",
    "match_play",
    "turn_graph",
]


def legal_plays(
    position: Position, side: Side, dice: Dice, rules: Rules, first_turn: bool = False
) -> dict[Position, Play]:
    """Return one representative play for each distinct result; a pass is the empty play.

    This is much cheaper than the graph. `first_turn` = the side has not moved in this game yet
    (long).

    >>> from games.engine.board.moves import play_to_text
    >>> from games.engine.rules import Variant
    >>> start, rules = Position.start(Variant.LONG), Rules.of("long")
    >>> plays = legal_plays(start, Side.WHITE, (6, 5), rules, first_turn=True)
    >>> [play_to_text(play) for play in plays.values()]
    ['24/18 18/13']
    """
    turn, result = search_legal_ends(position, side, dice, rules, first_turn)
    plays: dict[Position, Play] = {}
    for state, trail in result.finals.items():
        plays.setdefault(turn.unpack(turn.board(state)), play_of_trail(turn, trail))
    return plays


def legal_results(
    position: Position, side: Side, dice: Dice, rules: Rules, first_turn: bool = False
) -> set[Position]:
    """Return the distinct positions after the whole turn, without the plays."""
    turn, result = search_legal_ends(position, side, dice, rules, first_turn)
    return {turn.unpack(turn.board(state)) for state in result.finals}


def match_play(graph: TurnGraph, moves: Sequence[WrittenMove]) -> tuple[Play, Position]:
    """Return the play that the written moves stand for, with its dice, and the position after it.

    A written move may stand for several dice of one checker (`24/13`). If it is legal both with and
    without a hit on the way, the way without a hit is taken. The moves are played in the order
    written or, if that is illegal, in the first legal order. A hit mark may be missing but not
    wrong. Raises `IllegalAction` if the moves are not one complete legal play, `InvalidAction` for
    more than four moves.

    >>> from games.engine.board.moves import play_from_text, play_to_text
    >>> from games.engine.rules import Variant
    >>> start = Position.start(Variant.SHORT)
    >>> graph = turn_graph(start, Side.WHITE, (6, 5), Rules.of("short"))
    >>> play, after = match_play(graph, play_from_text("24/13"))
    >>> play_to_text(play)
    '24/18 18/13'
    """
    if len(moves) > MAX_MOVES:
        raise InvalidAction("play_text", "a play has at most four moves")
    for order in dict.fromkeys(permutations(moves)):
        found = _follow(graph, 0, order)
        if found is not None:
            play, node = found
            return play, graph.nodes[node]
    # Imported here because most plays are legal and never need the module.
    from games.engine.board.explain import refusal_of_play

    refusal = refusal_of_play(graph, moves)
    raise IllegalAction(refusal.reason, refusal.points)


def _follow(
    graph: TurnGraph, node: int, moves: tuple[WrittenMove, ...]
) -> tuple[tuple[Move, ...], int] | None:
    """Return (the moves from `node` that fit the written ones, the final node), or None."""
    if not moves:
        return ((), node) if node in graph.finals else None
    written, rest = moves[0], moves[1:]

    def preference(edge: tuple[Move, int]) -> tuple[bool, bool]:
        return edge[0].target != written.target, edge[0].is_hit

    for move, after in sorted(graph.edges[node], key=preference):
        if move.source != written.source or move.target < written.target:
            continue
        if move.target > written.target:
            todo = (WrittenMove(move.target, written.target, written.is_hit), *rest)
        elif written.is_hit and not move.is_hit:
            continue
        else:
            todo = rest
        found = _follow(graph, after, todo)
        if found is not None:
            return (move, *found[0]), found[1]
    return None
